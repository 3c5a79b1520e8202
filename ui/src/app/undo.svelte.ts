/** The last thing that can be taken back. One at a time: an older one stands, and is not offered any more. */
export class UndoOffer {
  #last = $state.raw<{ done: string; back: () => void } | null>(null);

  /** What was done, in words; null where nothing can be taken back. */
  get done(): string | null {
    return this.#last?.done ?? null;
  }

  offer(done: string, back: () => void) {
    this.#last = { done, back };
  }
  /** Takes it back, once. */
  take() {
    const last = this.#last;
    this.#last = null;
    last?.back();
  }
  forget() {
    this.#last = null;
  }
}
