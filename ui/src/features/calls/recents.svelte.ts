/**
 * The arguments that a person called each target with, newest first: those of this page, and those that the history of the
 * host has, where it keeps any.
 */
import { SvelteMap } from 'svelte/reactivity';
import type { CallDesk, Target } from './calls.svelte';

/** How many are kept of one target, and up to which length. */
const MOST = 10;
const LONGEST = 200_000;

const keyOf = ({ server, method, name }: Target) => JSON.stringify([server, method, name]);

export class Recents {
  #lists = new SvelteMap<string, readonly string[]>();
  #kept = new SvelteMap<string, readonly string[]>();
  /** Where those of earlier runs come from. */
  source: ((target: Target) => Promise<string[]>) | null = null;

  /** The arguments as JSON text, as they were sent. */
  list(target: Target): readonly string[] {
    const [own, kept] = [this.#lists.get(keyOf(target)) ?? [], this.#kept.get(keyOf(target)) ?? []];
    return [...own, ...kept.filter((one) => !own.includes(one))].slice(0, MOST);
  }
  /** Asks for those of earlier runs. Where they can't be had, those of this page are there. */
  async want(target: Target): Promise<void> {
    const kept = await this.source?.(target).catch(() => []);
    if (kept) this.#kept.set(keyOf(target), kept);
  }
  /** Forgets those of a server, or all: the history was cleared. */
  forget(server: string | null) {
    for (const lists of [this.#lists, this.#kept])
      for (const key of [...lists.keys()])
        if (server === null || (JSON.parse(key) as string[])[0] === server) lists.delete(key);
  }
  keep(target: Target, args: string) {
    if (args.length > LONGEST) return;
    const others = this.list(target).filter((one) => one !== args);
    this.#lists.set(keyOf(target), [args, ...others].slice(0, MOST));
  }
}

const stores = new WeakMap<CallDesk, Recents>();

/** The recent arguments that belong to a desk, so that two pages in one process share none. */
export function recentsOf(desk: CallDesk): Recents {
  const known = stores.get(desk);
  if (known) return known;
  const store = new Recents();
  stores.set(desk, store);
  return store;
}
