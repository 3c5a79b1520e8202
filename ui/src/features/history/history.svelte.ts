/** The lines of the history that were pulled so far, newest first, the filter over them, and the call that is open. */
import { asProblem, type Ipc, type Problem } from '../../ipc/ipc';
import type { CallRef, HistoryCall, HistoryRow } from '../../ipc/types';

export const PAGE = 200;

export class History {
  rows = $state.raw<HistoryRow[]>([]);
  /** True when nothing older is left. */
  whole = $state(false);
  loading = $state(false);
  problem = $state.raw<Problem | null>(null);
  /** How many calls are kept in all. */
  kept = $state(0);
  server = $state<string | null>(null);
  words = $state('');
  /** The open call; null where the list is shown. */
  call = $state.raw<HistoryCall | null>(null);
  #turn = 0;

  constructor(private ipc: Pick<Ipc, 'history' | 'historyCall' | 'historyOf'>) {}

  /** Pulls anew, as many lines as are there already. */
  newest(): Promise<void> {
    return this.#pull(null, Math.max(PAGE, this.rows.length));
  }
  async older(): Promise<void> {
    const last = this.rows.at(-1);
    if (last && !this.loading && !this.whole) await this.#pull(last.seq, PAGE);
  }
  filter(change: { server?: string | null; words?: string }): Promise<void> {
    if (change.server !== undefined) this.server = change.server;
    if (change.words !== undefined) this.words = change.words;
    return this.#pull(null, PAGE);
  }

  async open(seq: number): Promise<void> {
    try {
      this.call = await this.ipc.historyCall(seq);
      this.problem = null;
    } catch (error) {
      this.problem = asProblem(error);
    }
  }
  /** Rejects where the call is not kept. */
  async openOf(call: CallRef): Promise<void> {
    this.call = await this.ipc.historyOf(call);
  }
  close() {
    this.call = null;
  }

  /** What comes late, after the filter was changed, is no answer to it. */
  async #pull(before: number | null, limit: number): Promise<void> {
    const turn = ++this.#turn;
    this.loading = true;
    this.problem = null;
    try {
      const words = this.words.trim() || null;
      const pulled = await this.ipc.history({ before, server: this.server, words, limit });
      if (turn !== this.#turn) return;
      this.rows = before === null ? pulled : [...this.rows, ...pulled];
      this.whole = pulled.length < limit;
    } catch (error) {
      if (turn === this.#turn) this.problem = asProblem(error);
    } finally {
      if (turn === this.#turn) this.loading = false;
    }
  }
}
