/**
 * The page as a whole: hands each update to whoever keeps it, and each click to the host. What a command refuses becomes a
 * note. No state of the host's is kept here.
 */
import { SvelteMap } from 'svelte/reactivity';
import { CallDesk } from '../features/calls/calls.svelte';
import { Catalogue, type Kind } from '../features/calls/catalogue.svelte';
import { recentsOf } from '../features/calls/recents.svelte';
import { History } from '../features/history/history.svelte';
import type { Note } from '../features/notices/note';
import { QuestionDesk } from '../features/questions/desk.svelte';
import { RecordRows } from '../features/record/record.svelte';
import { TrafficDesk } from '../features/traffic/traffic.svelte';
import { asProblem, type Ipc, type Problem } from '../ipc/ipc';
import type { AddedFolder, CallView, FolderView, ServerInput, ServerView, Update } from '../ipc/types';
import { Announcer } from './announce.svelte';
import { dress } from './dress';
import { Mirror } from './mirror.svelte';
import { UndoOffer } from './undo.svelte';
import { Zoom } from './zoom.svelte';

export type Place =
  { at: 'server'; name: string } | { at: 'record' } | { at: 'history' } | { at: 'grants' } | { at: 'settings' };
export type Tab = 'tools' | 'prompts' | 'resources' | 'traffic' | 'log' | 'settings';

/** The tabs that show lists. */
type ListTab = Exclude<Tab, 'traffic' | 'log' | 'settings'>;

/** The lists that stand on one shelf. */
const shelved = (tab: ListTab): Kind[] => (tab === 'resources' ? ['resources', 'templates'] : [tab]);

export class House {
  readonly mirror = new Mirror();
  readonly calls = new CallDesk();
  readonly catalogue: Catalogue;
  readonly desk: QuestionDesk;
  readonly record: RecordRows;
  readonly history: History;
  readonly traffic: TrafficDesk;

  /** Where the person went; null until then. */
  went = $state.raw<Place | null>(null);
  tab = $state<Tab>('tools');
  noPicker = $state(false);
  adding = $state(false);
  busyDemo = $state(false);
  connectProblems = new SvelteMap<string, Problem>();
  #notes = $state.raw<Note[]>([]);
  #nextNote = 0;
  /** The first word on calls is about those of a page before a reload; later ones are this page's own. */
  #adopted = false;

  /** Where the page stands: a server that is gone is no place, and without a choice it is the first server. */
  readonly place = $derived.by((): Place | { at: 'welcome' } => {
    const servers = this.mirror.servers ?? [];
    const went = this.went;
    if (went && (went.at !== 'server' || servers.some((server) => server.name === went.name))) return went;
    return servers[0] ? { at: 'server', name: servers[0].name } : { at: 'welcome' };
  });
  readonly server = $derived.by((): ServerView | null => {
    const place = this.place;
    return place.at === 'server' ? (this.mirror.servers?.find((one) => one.name === place.name) ?? null) : null;
  });
  readonly notes = $derived<Note[]>([
    ...this.mirror.notices.map(({ id, message }) => ({ key: `host ${id}`, id, message, action: null })),
    ...this.#notes,
  ]);

  /** What is said to somebody who does not look. */
  readonly announcer = new Announcer();
  readonly undo = new UndoOffer();
  readonly zoom = new Zoom();
  /** The window over the page that the person opened: the palette, or the list of keys. Never over a question. */
  over = $state<'palette' | 'keys' | null>(null);
  #chosen = new SvelteMap<string, string>();

  constructor(readonly ipc: Ipc) {
    this.catalogue = new Catalogue(ipc);
    this.record = new RecordRows(ipc);
    this.history = new History(ipc);
    recentsOf(this.calls).source = ({ server, method, name }) => ipc.recentArgs(server, method, name);
    this.traffic = new TrafficDesk(ipc);
    this.desk = new QuestionDesk(ipc, (message) => this.note(message));
  }

  start(): Promise<void> {
    return this.ipc.watch((update) => this.apply(update));
  }

  apply(update: Update) {
    this.mirror.apply(update);
    if (update.type === 'settings') dress(update.settings);
    if (update.type === 'questions') {
      this.announcer.questions(update.questions);
      this.desk.apply(update.questions);
      // A question takes the keyboard; what was typed for something else must not end there.
      if (this.desk.shown) this.over = null;
    }
    if (update.type === 'calls') this.announcer.calls(update.calls);
    if (update.type === 'servers') {
      this.catalogue.apply(update.servers);
      this.#lookAt();
    }
    if (update.type === 'calls' && !this.#adopted) {
      this.#adopted = true;
      this.calls.adopt(update.calls, (call) => this.ipc.callEnd(call));
    }
    if (update.type === 'traffic') this.traffic.apply(update.servers);
    if (update.type === 'record' && this.place.at === 'record') void this.record.newest();
    if (update.type === 'history') {
      this.history.kept = update.calls;
      if (this.place.at === 'history') void this.history.newest();
    }
  }

  note(message: string, action: Note['action'] = null) {
    this.#notes = [...this.#notes, { key: `page ${this.#nextNote++}`, id: null, message, action }];
  }
  dismiss(note: Note) {
    if (note.id !== null) this.try(this.ipc.dismissNotice(note.id));
    else this.#notes = this.#notes.filter((one) => one.key !== note.key);
  }
  /** Lets a command run; what it refuses is said. */
  try(command: Promise<unknown>) {
    command.catch((error: unknown) => this.note(asProblem(error).message));
  }

  go(place: Place) {
    this.went = place;
    if (place.at === 'record') void this.record.newest();
    else this.record.sought = null;
    if (place.at === 'history') void this.history.newest();
    else this.history.close();
    this.#lookAt();
  }
  /** The list of calls, not the one that was open. */
  openHistory() {
    this.history.close();
    this.go({ at: 'history' });
  }
  look(tab: Tab) {
    this.tab = tab;
    this.#lookAt();
  }
  /** The entry of a list that is open at the right; it stays while the person is elsewhere. */
  chosen(server: string, kind: Kind): string | null {
    return this.#chosen.get(`${kind} ${server}`) ?? null;
  }
  choose(server: string, kind: Kind, id: string) {
    this.#chosen.set(`${kind} ${server}`, id);
  }
  /** Goes to where a call was made. */
  goTo({ server, method, target }: CallView) {
    const kinds: Record<string, 'prompts' | 'resources'> = { 'prompts/get': 'prompts', 'resources/read': 'resources' };
    const kind = kinds[method] ?? 'tools';
    const items = this.catalogue.shelf(server, kind).listing?.items ?? [];
    const at = items.findIndex(({ label }) => label === target);
    const item = items[at];
    if (item) this.choose(server, kind, 'uri' in item ? `${at} ${item.uri}` : item.name);
    this.tab = kind;
    this.go({ at: 'server', name: server });
  }
  /** Opens one of the windows over the page, where no question and no other window is open. */
  openOver(what: 'palette' | 'keys') {
    if (this.desk.shown || this.adding) return;
    this.over = what;
    if (what === 'palette') this.catalogue.wantAll();
  }
  /** Pulls the list that is looked at, where it is not there yet. */
  #lookAt() {
    const name = this.server?.name ?? null;
    const { tab } = this;
    this.traffic.look(tab === 'traffic' ? name : null);
    if (name === null || tab === 'log' || tab === 'traffic' || tab === 'settings') return;
    for (const kind of shelved(tab)) this.catalogue.want(name, kind);
  }
  reload(kind: ListTab) {
    const name = this.server?.name;
    const load = (name: string) => shelved(kind).map((one) => this.catalogue.load(name, one));
    if (name) this.try(this.ipc.refreshLists(name).then(() => Promise.all(load(name))));
  }

  async addFolders() {
    try {
      this.#said(await this.ipc.pickFolders());
      this.noPicker = false;
    } catch (error) {
      const problem = asProblem(error);
      if (problem.code === 'noPicker') this.noPicker = true;
      else this.note(problem.message);
    }
  }
  #said(added: AddedFolder[]) {
    for (const { path, problem } of added) if (problem) this.note(`${path} was not added: ${problem}`);
  }
  removeFolder({ id, name }: FolderView) {
    this.#offer(this.ipc.removeFolder(id), `${name} is off the list, with the decisions on it.`, () =>
      this.ipc.restoreFolder(id),
    );
  }
  renameFolder(id: number, name: string) {
    const before = this.mirror.folders?.find((folder) => folder.id === id)?.name;
    this.#offer(
      this.ipc.renameFolder(id, name),
      `${before ?? 'A folder'} is called ${name} now.`,
      before === undefined ? null : () => this.ipc.renameFolder(id, before),
    );
  }
  reorderFolders(ids: number[]) {
    const before = (this.mirror.folders ?? []).map((folder) => folder.id);
    this.#offer(this.ipc.reorderFolders(ids), 'The folders have a new order.', () => this.ipc.reorderFolders(before));
  }
  /** Lets a command run that left nothing outside of this machine, and offers to take it back. */
  #offer(command: Promise<unknown>, done: string, back: (() => Promise<unknown>) | null) {
    const offer = () => back && this.undo.offer(done, () => this.try(back()));
    this.try(command.then(offer));
  }

  /** Rejects with what the form shows. */
  async addServer(input: ServerInput) {
    await this.ipc.addServer(input);
    this.adding = false;
    this.go({ at: 'server', name: input.name });
  }
  removeServer({ name }: ServerView) {
    this.#offer(this.ipc.removeServer(name), `${name} was taken out of servers.json.`, async () => {
      await this.ipc.restoreServer(name);
      this.go({ at: 'server', name });
    });
  }
  connect(name: string) {
    this.go({ at: 'server', name });
    this.connectProblems.delete(name);
    this.ipc.connectServer(name).catch((error: unknown) => this.connectProblems.set(name, asProblem(error)));
  }
  async demo() {
    this.busyDemo = true;
    this.went = { at: 'server', name: 'demo' };
    try {
      this.go({ at: 'server', name: await this.ipc.addDemo() });
    } catch (error) {
      const problem = asProblem(error);
      if (problem.code !== 'notTrusted') this.note(problem.message);
      this.connectProblems.set('demo', problem);
    } finally {
      this.busyDemo = false;
    }
  }
}
