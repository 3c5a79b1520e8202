/**
 * The arguments that a person called each target with, newest first. Kept for this run of the page only; `RecentStore` is
 * what the host will be asked for once it keeps them.
 */
import { SvelteMap } from 'svelte/reactivity';
import type { CallDesk, Target } from './calls.svelte';

export interface RecentStore {
  /** The arguments as JSON text, as they were sent. */
  list(target: Target): readonly string[];
  keep(target: Target, args: string): void;
}

/** How many are kept of one target, and up to which length. */
const MOST = 10;
const LONGEST = 200_000;

const keyOf = ({ server, method, name }: Target) => JSON.stringify([server, method, name]);

export class Recents implements RecentStore {
  #lists = new SvelteMap<string, readonly string[]>();

  list(target: Target): readonly string[] {
    return this.#lists.get(keyOf(target)) ?? [];
  }
  keep(target: Target, args: string) {
    if (args.length > LONGEST) return;
    const others = this.list(target).filter((one) => one !== args);
    this.#lists.set(keyOf(target), [args, ...others].slice(0, MOST));
  }
}

const stores = new WeakMap<CallDesk, RecentStore>();

/** The recent arguments that belong to a desk, so that two pages in one process share none. */
export function recentsOf(desk: CallDesk): RecentStore {
  const known = stores.get(desk);
  if (known) return known;
  const store = new Recents();
  stores.set(desk, store);
  return store;
}
