/** Rows of a long list that lie elsewhere: pulled a page at a time as they come into sight, and a few pages kept. */
import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';

const SIZE = 200;
const MOST = 12;

export class Pages<T> {
  #pages = new SvelteMap<number, T[]>();
  #asked: number[] = [];
  /** Why the last pull failed; null where it did not. */
  problem = $state.raw<unknown>(null);

  constructor(readonly pull: (first: number, last: number) => Promise<T[]>) {}

  /** A row; undefined while it is not here. */
  row(at: number): T | undefined {
    return this.#pages.get(Math.floor(at / SIZE))?.[at % SIZE];
  }

  /** Says which rows are in sight; those that are not here are pulled. */
  see(first: number, last: number) {
    untrack(() => {
      for (let page = Math.floor(first / SIZE); page * SIZE < last; page++) {
        if (!this.#pages.has(page) && !this.#asked.includes(page)) void this.#fetch(page);
      }
    });
  }

  async #fetch(page: number) {
    this.#asked.push(page);
    try {
      const rows = await this.pull(page * SIZE, (page + 1) * SIZE);
      this.#pages.set(page, rows);
      const oldest = this.#pages.keys().next().value;
      if (this.#pages.size > MOST && oldest !== undefined) this.#pages.delete(oldest);
      this.problem = null;
    } catch (error) {
      this.problem = error;
    } finally {
      this.#asked = this.#asked.filter((one) => one !== page);
    }
  }
}
