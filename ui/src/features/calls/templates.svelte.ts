/** What the person typed for the variables of each template, and the address that this makes, as the host says. */
import { SvelteMap } from 'svelte/reactivity';
import { asProblem } from '../../ipc/ipc';
import type { CallDesk } from './calls.svelte';

export interface Filled {
  values: ReadonlyMap<string, string>;
  /** The address; null while it is made, or where none can be made. */
  uri: string | null;
  problem: string | null;
}
type Expand = (template: string, values: [string, string][]) => Promise<string>;

const EMPTY: Filled = { values: new Map(), uri: null, problem: null };

export class TemplateDrafts {
  #filled = new SvelteMap<string, Filled>();

  filled(server: string, template: string): Filled {
    return this.#filled.get(`${server} ${template}`) ?? EMPTY;
  }
  /** Takes a value and asks for the address. An answer to older values is of no use. */
  async set(server: string, template: string, name: string | null, value: string, expand: Expand): Promise<void> {
    const key = `${server} ${template}`;
    const before = this.filled(server, template).values;
    const values: ReadonlyMap<string, string> = name === null ? before : new SvelteMap([...before, [name, value]]);
    this.#filled.set(key, { values, uri: null, problem: null });
    const put = (made: Omit<Filled, 'values'>) => {
      if (this.filled(server, template).values === values) this.#filled.set(key, { values, ...made });
    };
    try {
      put({ uri: await expand(template, [...values]), problem: null });
    } catch (error) {
      put({ uri: null, problem: asProblem(error).message });
    }
  }
}

const stores = new WeakMap<CallDesk, TemplateDrafts>();

/** The drafts that belong to a desk. */
export function templatesOf(desk: CallDesk): TemplateDrafts {
  const known = stores.get(desk);
  if (known) return known;
  const store = new TemplateDrafts();
  stores.set(desk, store);
  return store;
}
