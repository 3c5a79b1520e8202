/** Ways between a call of the history, a row of the record, and the tool that was called. Nothing is called by any of them. */
import { recentsOf } from '../features/calls/recents.svelte';
import { asProblem } from '../ipc/ipc';
import type { CallRef, HistoryCall } from '../ipc/types';
import type { House, Tab } from './house.svelte';

/** From a row of the record to its call. */
export async function openCall(house: House, call: CallRef): Promise<void> {
  try {
    await house.history.openOf(call);
    house.go({ at: 'history' });
  } catch (error) {
    house.note(`The call can't be shown: ${asProblem(error).message}.`);
  }
}

/** From a call to a row of the record. */
export function openRow(house: House, seq: number): void {
  house.go({ at: 'record' });
  void house.record.reveal(seq);
}

const TABS: Record<string, Exclude<Tab, 'traffic' | 'log' | 'settings'>> = {
  'tools/call': 'tools',
  'prompts/get': 'prompts',
  'resources/read': 'resources',
};

/** Opens what was called, with the arguments filled in. */
export function openToCallAgain(house: House, { row, args }: HistoryCall): void {
  const tab = TABS[row.method];
  if (!tab || !house.mirror.servers?.some((server) => server.name === row.server)) {
    house.note(`There is no server ${row.server} any more, so it can't be called again.`);
    return;
  }
  const { server, target: name, label } = row;
  if (tab !== 'resources') {
    house.calls.offer({ server, method: row.method as 'tools/call' | 'prompts/get', name, label }, args?.text ?? '{}');
  }
  house.go({ at: 'server', name: server });
  house.look(tab);
  const found = house.catalogue.shelf(server, 'resources').listing?.items.findIndex(({ uri }) => uri === name) ?? -1;
  if (tab !== 'resources') house.choose(server, tab, name);
  else if (found >= 0) house.choose(server, tab, `${found} ${name}`);
  else house.note(`Look for ${label} in the list of resources and templates; it can be read again from there.`);
}

/** Lets calls go for good; what is offered again of them goes too. */
export async function clear(house: House, which: { seq: number | null; server: string | null }): Promise<void> {
  try {
    await house.ipc.clearHistory(which);
  } catch (error) {
    if (which.seq === null) throw error;
    house.note(asProblem(error).message);
  }
  const one = house.history.call?.row;
  recentsOf(house.calls).forget(which.seq === null ? which.server : (one?.server ?? null));
  await house.history.newest();
}
