/**
 * How large everything is. All lengths of the page hang on the size of the root's text, so growing that grows text and layout
 * alike, and the layout turns with it. Remembered.
 */
import { keep, kept } from '../kit/kept';

/** In percent of the usual size. WCAG asks for 200. */
export const STEPS = [80, 90, 100, 110, 125, 150, 175, 200, 250];
const USUAL = 100;

export class Zoom {
  percent = $state(USUAL);

  constructor() {
    const before = Number(kept('zoom'));
    this.#to(STEPS.includes(before) ? before : USUAL, false);
  }

  by(steps: number) {
    const at = STEPS.indexOf(this.percent) + steps;
    this.#to(STEPS[Math.max(0, Math.min(at, STEPS.length - 1))] ?? USUAL);
  }
  reset() {
    this.#to(USUAL);
  }

  #to(percent: number, remember = true) {
    this.percent = percent;
    document.documentElement.style.fontSize = percent === USUAL ? '' : `${percent}%`;
    if (remember) keep('zoom', String(percent));
    // Lists that draw only what is in sight measure their rows anew.
    window.dispatchEvent(new Event('resize'));
  }
}
