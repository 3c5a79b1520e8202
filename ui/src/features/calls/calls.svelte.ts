/**
 * What the person typed for each tool, prompt and resource, and how the last call of each ended. Where a call stands comes
 * from Rust; this holds no state of a call of its own but the one that the promise of a command is.
 */
import { SvelteMap } from 'svelte/reactivity';
import { asProblem, type Problem } from '../../ipc/ipc';
import type { CallEnd, CallView } from '../../ipc/types';
import type { Typed } from './schema';

export interface Draft {
  typed: Typed;
  /** The arguments as JSON, where the person writes them so. */
  json: string | null;
}
export interface Ended {
  end: CallEnd | null;
  problem: Problem | null;
}
/** What is called: a method of a server with a target. */
export interface Target {
  server: string;
  method: 'tools/call' | 'prompts/get' | 'resources/read';
  name: string;
  /** The name as it is shown, and as a running call carries it. */
  label: string;
}

/** By the shown name, since that is the one that a call of the host's carries. */
const keyOf = ({ server, method, label }: Omit<Target, 'name'>) => JSON.stringify([server, method, label]);

export class CallDesk {
  #drafts = new SvelteMap<string, Draft>();
  #ended = new SvelteMap<string, Ended>();
  #running = new SvelteMap<string, number>();
  #offers = new SvelteMap<string, string>();
  #limits = new SvelteMap<string, string>();

  draft(target: Target): Draft {
    return this.#drafts.get(keyOf(target)) ?? { typed: {}, json: null };
  }
  write(target: Target, draft: Draft) {
    this.#drafts.set(keyOf(target), draft);
  }
  /** The time limit that was typed for its calls. */
  limit(target: Target): string {
    return this.#limits.get(keyOf(target)) ?? '';
  }
  setLimit(target: Target, typed: string) {
    this.#limits.set(keyOf(target), typed);
  }
  /** Arguments as JSON text, to be filled in when the target is next opened. */
  offer(target: Target, args: string) {
    this.#offers.set(keyOf(target), args);
  }
  takeOffer(target: Target): string | null {
    const args = this.#offers.get(keyOf(target)) ?? null;
    this.#offers.delete(keyOf(target));
    return args;
  }
  ended(target: Target): Ended | null {
    return this.#ended.get(keyOf(target)) ?? null;
  }
  /** True from the click until the command's promise ends. */
  pending(target: Target): boolean {
    return (this.#running.get(keyOf(target)) ?? 0) > 0;
  }
  async run(target: Target, start: () => Promise<CallEnd>, adopted = false): Promise<void> {
    const key = keyOf(target);
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    this.#ended.delete(key);
    try {
      this.#ended.set(key, { end: await start(), problem: null });
    } catch (error) {
      const problem = asProblem(error);
      // A result that the host no longer keeps is no news.
      if (problem.code !== 'notFound' || !adopted) this.#ended.set(key, { end: null, problem });
    } finally {
      this.#running.set(key, (this.#running.get(key) ?? 1) - 1);
    }
  }

  /** Takes up the calls that a page before a reload started: the running ones, and the last that ended of each target. */
  adopt(calls: CallView[], end: (call: number) => Promise<CallEnd>) {
    const taken: string[] = [];
    for (const { id, server, method, target } of calls.toReversed()) {
      const one: Target = { server, method: method as Target['method'], name: target, label: target };
      if (taken.includes(keyOf(one))) continue;
      taken.push(keyOf(one));
      void this.run(one, () => end(id), true);
    }
  }
}

/** The newest running call of a target, also one that a page before a reload started. */
export function runningCall(calls: CallView[], target: Target): CallView | null {
  const open = (call: CallView) => call.state.state === 'running' || call.state.state === 'waiting';
  const same = (call: CallView) =>
    call.server === target.server && call.method === target.method && call.target === target.label;
  return calls.findLast((call) => open(call) && same(call)) ?? null;
}
