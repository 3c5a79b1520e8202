/**
 * When the choices that let something out may act: half a second after the question appeared or changed, and half a second
 * after the window got the focus. Before that a click was meant for something else.
 */
export const SETTLE_MS = 500;

export class Armed {
  #on = $state(false);
  #looked = $state(document.hasFocus());
  #timer: ReturnType<typeof setTimeout> | undefined;

  get on(): boolean {
    return this.#on;
  }

  /** Does the window have the focus? While it has not, nothing comes alive, and the person is told why. */
  get looked(): boolean {
    return this.#looked;
  }

  /** Dead now, alive after the pause if the window has the focus. */
  settle() {
    this.#on = false;
    clearTimeout(this.#timer);
    this.#looked = document.hasFocus();
    if (!this.#looked) return;
    this.#timer = setTimeout(() => (this.#on = document.hasFocus()), SETTLE_MS);
  }

  /** Follows the window's focus; returns what ends that. */
  watch(): () => void {
    const blur = () => {
      this.#on = false;
      this.#looked = false;
      clearTimeout(this.#timer);
    };
    const focus = () => this.settle();
    window.addEventListener('blur', blur);
    window.addEventListener('focus', focus);
    return () => {
      blur();
      window.removeEventListener('blur', blur);
      window.removeEventListener('focus', focus);
    };
  }
}
