/**
 * The lines of a long text, found without cutting it up: every 64th row's place is kept, the rows between are found again when
 * they are shown. A line longer than the view is wide goes on in the next row.
 */
import { late } from './turns';

const EVERY = 64;
const FEED = 10;

export class TextRows {
  #marks: number[] = [0];
  #at = 0;
  count = 0;
  done = false;

  constructor(
    readonly text: string,
    readonly columns: number,
  ) {
    this.done = text.length === 0;
  }

  /** Counts on until the time comes; true when all rows are known. */
  grow(until: number): boolean {
    for (let turn = 0; !this.done; turn++) {
      this.#at = this.#after(this.#at);
      this.count++;
      if (this.count % EVERY === 0) this.#marks.push(this.#at);
      this.done = this.#at >= this.text.length;
      if (late(turn, until)) break;
    }
    return this.done;
  }

  rows(first: number, last: number): string[] {
    let row = Math.floor(first / EVERY) * EVERY;
    let at = this.#marks[row / EVERY] ?? this.text.length;
    const found: string[] = [];
    for (; row < Math.min(last, this.count); row++) {
      const next = this.#after(at);
      if (row >= first) {
        const feed = this.text.charCodeAt(next - 1) === FEED;
        found.push(this.text.slice(at, feed ? next - 1 : next));
      }
      at = next;
    }
    return found;
  }

  /** Where the row after the one at `at` begins. */
  #after(at: number): number {
    const { text } = this;
    const end = Math.min(at + this.columns, text.length);
    for (let next = at; next < end; next++) if (text.charCodeAt(next) === FEED) return next + 1;
    if (text.charCodeAt(end) === FEED) return end + 1;
    const half = text.charCodeAt(end - 1);
    return end < text.length && half >= 0xd800 && half < 0xdc00 && end - 1 > at ? end - 1 : end;
  }
}
