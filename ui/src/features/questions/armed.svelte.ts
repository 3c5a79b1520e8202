/**
 * When the choices that let something out may act: half a second after the question appeared or changed, half a second after
 * the window got the focus, and half a second after the last press. Before that a press was meant for something else.
 */
export const SETTLE_MS = 500;

export class Armed {
  #on = $state(false);
  #looked = $state(document.hasFocus());
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pressed = false;

  get on(): boolean {
    return this.#on;
  }

  /** Does the window have the focus? While it has not, nothing comes alive, and the person is told why. */
  get looked(): boolean {
    return this.#looked;
  }

  /** Did the last press begin while the choices were alive? A click that comes of any other is not acted on. */
  get pressed(): boolean {
    return this.#on && this.#pressed;
  }

  /** Dead now, alive after the pause if the window has the focus. */
  settle() {
    this.#on = false;
    this.#pressed = false;
    clearTimeout(this.#timer);
    this.#looked = document.hasFocus();
    if (!this.#looked) return;
    this.#timer = setTimeout(() => (this.#on = document.hasFocus()), SETTLE_MS);
  }

  #press(acts: boolean) {
    if (this.#on) this.#pressed = acts;
    else this.settle();
  }

  /** Follows the window's focus and every press in it; returns what ends that. */
  watch(): () => void {
    const ended = new AbortController();
    const blur = () => {
      this.#on = false;
      this.#looked = false;
      clearTimeout(this.#timer);
    };
    const follow = { signal: ended.signal, capture: true };
    window.addEventListener('blur', blur, { signal: ended.signal });
    window.addEventListener('focus', () => this.settle(), { signal: ended.signal });
    window.addEventListener(
      'keydown',
      (event) => {
        this.#press(!event.repeat && (event.key === 'Enter' || event.key === ' '));
        if (!event.repeat || (event.key !== 'Enter' && event.key !== 'Escape')) return;
        event.preventDefault(); // a key that is held answers one question, not the next ones too
        event.stopImmediatePropagation();
      },
      follow,
    );
    window.addEventListener('pointerdown', () => this.#press(true), follow);
    // A screen reader presses without a pointer: its mouse button goes down with a count of zero.
    window.addEventListener('mousedown', (event) => event.detail === 0 && this.#press(true), follow);
    return () => {
      blur();
      ended.abort();
    };
  }
}
