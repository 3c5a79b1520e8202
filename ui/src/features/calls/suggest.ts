/** Who suggests values for what is typed. The app hands one to a panel; the fields inside find it here. */
import { getContext, setContext } from 'svelte';
import type { SuggestionsView } from '../../ipc/types';
import type { Draft } from './calls.svelte';

export interface Suggester {
  /** Tells the server what is typed; a later question, or `stop`, cancels it. */
  ask: (argument: string, value: string) => Promise<SuggestionsView>;
  stop: () => void;
}

const KEY = Symbol('suggestions');

/** Given as a function, since what a panel shows may change. */
export const provideSuggester = (suggester: () => Suggester | null) => setContext(KEY, suggester);
export const useSuggester = (): (() => Suggester | null) =>
  getContext<(() => Suggester | null) | undefined>(KEY) ?? (() => null);

/** How long typing must rest before the server is asked. */
export const REST = 250;

/** The other arguments that have a value, as a server is told of them; all of a prompt's are texts. */
export function othersOf({ typed, json }: Draft, argument: string): [string, string][] {
  const members = json === null && typed.root?.is === 'object' ? [...typed.root.members] : [];
  return members.flatMap(([name, value]): [string, string][] =>
    value.is === 'text' && value.text !== '' && name !== argument ? [[name, value.text]] : [],
  );
}
