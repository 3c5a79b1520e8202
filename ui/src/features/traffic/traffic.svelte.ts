/**
 * The frames of the server that is looked at: the numbers of all that a filter lets through, and the lines of those in sight.
 * Both are pulled from the host, which keeps the frames.
 */
import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { asProblem, type Ipc } from '../../ipc/ipc';
import type { FrameFilter, FrameLine, FrameView, TrafficView } from '../../ipc/types';

/** Lines that are kept here; more are pulled again when they come into sight. */
const LINES = 3000;
const NONE = new Float64Array();
const PLAIN: FrameFilter = { words: '', sent: null };

export class TrafficDesk {
  server = $state.raw<string | null>(null);
  filter = $state.raw<FrameFilter>(PLAIN);
  seqs = $state.raw<Float64Array>(NONE);
  /** Frames that gave way to newer ones. */
  dropped = $state(0);
  problem = $state('');
  /** The frame that is open. */
  chosen = $state.raw<FrameView | null>(null);
  /** True while the newest frame is kept in sight. */
  follows = $state(true);
  #lines = new SvelteMap<number, FrameLine | null>();
  #heard = 0;
  #asking = false;
  #again = false;
  #pulling = false;
  #sight: [number, number] = [0, 0];
  #spans: TrafficView[] = [];

  constructor(readonly ipc: Pick<Ipc, 'frameNumbers' | 'frameLines' | 'frame' | 'saveFrame'>) {}

  /** Looks at a server's frames, or at none. */
  look(server: string | null) {
    if (this.server === server) return;
    this.server = server;
    this.chosen = null;
    this.follows = true;
    this.#anew();
  }
  seek(filter: FrameFilter) {
    this.filter = filter;
    this.#anew();
  }
  /** Hears how far the traffic of each server has come. */
  apply(spans: TrafficView[]) {
    this.#spans = spans;
    const own = spans.find((span) => span.server === this.server);
    if (!own) return;
    this.dropped = own.oldest - 1;
    let gone = 0;
    while ((this.seqs[gone] ?? Infinity) < own.oldest) gone++;
    if (gone > 0) this.seqs = this.seqs.subarray(gone);
    if (own.newest > this.#heard) void this.#newer();
  }

  #anew() {
    this.seqs = NONE;
    this.#lines.clear();
    this.#heard = 0;
    this.dropped = 0;
    this.problem = '';
    this.apply(this.#spans);
  }
  async #newer() {
    if (this.#asking) {
      this.#again = true;
      return;
    }
    const { server, filter } = this;
    if (server === null) return;
    this.#asking = true;
    const newest = this.#spans.find((span) => span.server === server)?.newest ?? 0;
    try {
      const more = await this.ipc.frameNumbers(server, filter, this.#heard);
      if (server === this.server && filter === this.filter) {
        this.#heard = Math.max(newest, more.at(-1) ?? 0);
        if (more.length > 0) this.seqs = joined(this.seqs, more);
        this.problem = '';
      } else this.#again = true;
    } catch (error) {
      this.problem = asProblem(error).message;
    } finally {
      this.#asking = false;
      if (this.#again) {
        this.#again = false;
        this.apply(this.#spans);
      }
    }
  }

  /** The line of the frame at a place of the list; undefined while it is not here, null where it gave way. */
  line(at: number): FrameLine | null | undefined {
    return this.#lines.get(this.seqs[at] ?? -1);
  }
  /** Says which places are in sight; the lines that are not here are pulled, one pull at a time. */
  see(first: number, last: number) {
    this.#sight = [first, last];
    untrack(() => {
      if (!this.#pulling) void this.#pull(first, last);
    });
  }
  async #pull(first: number, last: number) {
    const { server, filter } = this;
    const wanted = [...this.seqs.subarray(Math.max(0, first - 50), last + 50)].filter((seq) => !this.#lines.has(seq));
    if (server === null || wanted.length === 0) return;
    this.#pulling = true;
    try {
      const lines = await this.ipc.frameLines(server, wanted);
      if (server !== this.server || filter !== this.filter) return;
      if (this.#lines.size > LINES) this.#lines.clear();
      for (const [index, seq] of wanted.entries()) this.#lines.set(seq, lines[index] ?? null);
    } catch (error) {
      this.problem = asProblem(error).message;
    } finally {
      this.#pulling = false;
      // What came into sight meanwhile.
      const [from, to] = this.#sight;
      if (from !== first || to !== last) void this.#pull(from, to);
    }
  }

  async open(seq: number) {
    const { server } = this;
    if (server === null) return;
    this.follows = false;
    try {
      const frame = await this.ipc.frame(server, seq);
      if (server === this.server) this.chosen = frame;
      this.problem = '';
    } catch (error) {
      this.problem = asProblem(error).message;
    }
  }
  save(seq: number): Promise<boolean> {
    return this.ipc.saveFrame(this.server ?? '', seq);
  }
}

function joined(one: Float64Array, more: Float64Array): Float64Array {
  const all = new Float64Array(one.length + more.length);
  all.set(one);
  all.set(more, one.length);
  return all;
}
