/** The rows of the record that were pulled so far, newest first. */
import { asProblem, type Ipc, type Problem } from '../../ipc/ipc';
import type { RecordRow } from '../../ipc/types';

export const PAGE = 50;
/** Rows pulled at once where one is looked for. */
const MOST = 1000;

export class RecordRows {
  rows = $state.raw<RecordRow[]>([]);
  /** True when nothing older is left. */
  whole = $state(false);
  loading = $state(false);
  problem = $state.raw<Problem | null>(null);
  /** The row that somebody came to see; it is open and in sight. */
  sought = $state<number | null>(null);
  #again = false;

  constructor(private ipc: Pick<Ipc, 'record'>) {}

  /** Pulls what is newer than the rows that are there. */
  async newest(): Promise<void> {
    if (this.loading) {
      this.#again = true;
      return;
    }
    await this.#pull(null);
    if (this.#again) {
      this.#again = false;
      await this.newest();
    }
  }

  async older(): Promise<void> {
    const last = this.rows.at(-1);
    if (last && !this.loading) await this.#pull(last.seq);
  }

  /** Pulls until a row is there, however old it is. */
  async reveal(seq: number): Promise<void> {
    this.sought = seq;
    await this.newest();
    while (!this.whole && !this.problem && (this.rows.at(-1)?.seq ?? 0) > seq) {
      await this.#pull(this.rows.at(-1)?.seq ?? null, MOST);
    }
  }

  async #pull(before: number | null, limit = PAGE): Promise<void> {
    this.loading = true;
    this.problem = null;
    try {
      const pulled = await this.ipc.record(before, limit);
      const oldest = pulled.at(-1)?.seq ?? 0;
      const known = this.rows[0]?.seq ?? 0;
      if (before !== null) {
        this.rows = [...this.rows, ...pulled];
        this.whole = pulled.length < limit;
      } else if (this.rows.length && oldest <= known + 1) {
        this.rows = [...pulled.filter((row) => row.seq > known), ...this.rows];
      } else {
        this.rows = pulled; // the first pull, or more new rows than one page: begin anew
        this.whole = pulled.length < PAGE;
      }
    } catch (error) {
      this.problem = asProblem(error);
    } finally {
      this.loading = false;
    }
  }
}
