/** What a shelf tells the panel of the entry that is chosen on it, beside what the app hands to the panel itself. */
import { getContext, setContext } from 'svelte';
import type { CheckView, ToolSaid } from '../../ipc/types';

export interface Chosen {
  /** The server's claims of a tool, as JSON text. */
  readonly annotations: string | null;
  /** What a tool said when it was last called and what it says now, where that is not the same. */
  readonly changed: { before: ToolSaid; now: ToolSaid } | null;
  /** Checks arguments for it against its schema; null where there is none. */
  readonly check: ((args: string) => Promise<CheckView>) | null;
}

const KEY = Symbol('the chosen entry');

export const provideChosen = (chosen: Chosen) => setContext(KEY, chosen);
/** What the shelf around says; a panel that stands alone has nothing to check with. */
export const useChosen = (): Chosen =>
  getContext<Chosen | undefined>(KEY) ?? { annotations: null, changed: null, check: null };
