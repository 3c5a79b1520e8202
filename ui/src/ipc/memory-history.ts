/** The twin's history of calls. */
import type { HistoryLook } from './ipc';
import { MemoryFrames } from './memory-frames';
import type { CallEnd, CallRef, CallView, Ending, HistoryCall, HistoryRow, RecordRow, Update } from './types';

const missing = (what: string) => ({ code: 'notFound', message: `there is no ${what} in the history` });

export abstract class MemoryHistory extends MemoryFrames {
  /** The calls that ended, newest first. */
  past: HistoryCall[] = [];
  #args = new Map<number, string>();

  abstract changed(...types: Update['type'][]): void;

  /** A call began with these arguments. */
  protected begun(call: number, args?: string) {
    if (args !== undefined) this.#args.set(call, args);
  }
  /** Keeps a call that ended; its answers are the rows that name it. */
  protected add(call: CallView, end: CallEnd, rows: RecordRow[]) {
    const args = this.#args.get(call.id) ?? null;
    const answers = rows.filter((row) => row.call?.number === call.id);
    const bytes = args === null ? 0 : new TextEncoder().encode(args).length;
    const result = end.end === 'completed' ? end.result : null;
    const ending: Ending =
      result === null ? 'declined' : result.kind === 'tool' && result.isError ? 'toolError' : 'done';
    this.past.unshift({
      row: {
        seq: (this.past[0]?.row.seq ?? 0) + 1,
        call: { run: 1, number: call.id },
        at: new Date(call.startedAt).toISOString(),
        tookMs: Date.now() - call.startedAt,
        server: call.server,
        fingerprint: '9f2c41d07ab3',
        method: call.method,
        target: call.target,
        label: call.target,
        ending,
        message: end.end === 'declined' ? end.message : null,
        rounds: call.round,
      },
      args: args === null ? null : { text: args, bytes, cut: false },
      rounds: answers.length ? [{ round: 1, asked: [{ key: 'k', method: 'roots/list', params: null }], answers }] : [],
      result: result && { kept: 'whole', result },
    });
    this.changed('history');
  }
  size(): { newest: number; calls: number } {
    return { newest: this.past[0]?.row.seq ?? 0, calls: this.past.length };
  }

  async history({ before, server, words, limit }: HistoryLook): Promise<HistoryRow[]> {
    const sought = words?.toLowerCase() ?? '';
    const found = this.past.filter(
      ({ row, args }) =>
        (before === null || row.seq < before) &&
        (server === null || row.server === server) &&
        `${row.server} ${row.method} ${row.target} ${row.ending} ${args?.text ?? ''}`.toLowerCase().includes(sought),
    );
    return structuredClone(found.slice(0, limit).map(({ row }) => row));
  }
  #one(fits: (call: HistoryCall) => boolean, what: string): HistoryCall {
    const call = this.past.find(fits);
    if (!call) throw missing(what);
    return structuredClone(call);
  }
  async historyCall(seq: number): Promise<HistoryCall> {
    return this.#one(({ row }) => row.seq === seq, `call number ${seq}`);
  }
  async historyOf(call: CallRef): Promise<HistoryCall> {
    return this.#one(({ row }) => row.call.run === call.run && row.call.number === call.number, 'such call');
  }
  async clearHistory({ seq, server }: { seq: number | null; server: string | null }): Promise<number> {
    const before = this.past.length;
    const goes = (row: HistoryRow) => (seq === null ? server === null || row.server === server : row.seq === seq);
    this.past = this.past.filter(({ row }) => !goes(row));
    this.changed('history');
    return before - this.past.length;
  }
  async recentArgs(server: string, method: string, target: string): Promise<string[]> {
    const same = this.past.filter(({ row }) => row.server === server && row.method === method && row.target === target);
    return [...new Set(same.flatMap(({ args }) => (args && !args.cut ? [args.text] : [])))].slice(0, 10);
  }
}
