/** The last lists of tools, prompts, resources and templates that each server gave. Pulled when looked at, dropped when it reconnects. */
import { SvelteMap } from 'svelte/reactivity';
import { asProblem, type Ipc, type Problem } from '../../ipc/ipc';
import type {
  CheckView,
  ListingView,
  PromptView,
  ResourceView,
  ServerView,
  TemplateView,
  ToolView,
} from '../../ipc/types';

export interface Kinds {
  tools: ToolView;
  prompts: PromptView;
  resources: ResourceView;
  templates: TemplateView;
}
export type Kind = keyof Kinds;
export interface Shelf<T> {
  listing: ListingView<T> | null;
  problem: Problem | null;
  loading: boolean;
  /** Checks arguments against the schema of one of the entries, where the entries have schemas. */
  check?: ((name: string, args: string) => Promise<CheckView>) | undefined;
}

const KINDS: Kind[] = ['tools', 'prompts', 'resources', 'templates'];
const EMPTY = { listing: null, problem: null, loading: false };

export class Catalogue {
  #shelves = new SvelteMap<string, Shelf<Kinds[Kind]>>();
  // Only compared, never drawn.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #since = new Map<string, number>();
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #changes = new Map<string, number>();

  constructor(private ipc: Pick<Ipc, 'checkArgs' | 'listTools' | 'listPrompts' | 'listResources' | 'listTemplates'>) {}

  shelf<K extends Kind>(server: string, kind: K): Shelf<Kinds[K]> {
    const shelf = (this.#shelves.get(`${kind} ${server}`) ?? EMPTY) as Shelf<Kinds[K]>;
    if (kind !== 'tools') return shelf;
    return { ...shelf, check: (name, args) => this.ipc.checkArgs(server, name, args) };
  }

  /** Drops the lists of connections that ended or began anew, and pulls those again that the server says have changed. */
  apply(servers: ServerView[]) {
    for (const { name, connection, listChanges } of servers) {
      const since = connection.state === 'ready' ? connection.since : -1;
      if (this.#since.get(name) !== since) {
        for (const kind of KINDS) this.#shelves.delete(`${kind} ${name}`);
        this.#since.set(name, since);
      } else if (this.#changes.get(name) !== listChanges) {
        for (const kind of KINDS) if (this.#shelves.get(`${kind} ${name}`)?.listing) void this.load(name, kind);
      }
      this.#changes.set(name, listChanges);
    }
  }

  /** Loads a list that is not there yet. */
  want(server: string, kind: Kind): void {
    if ((this.#since.get(server) ?? -1) >= 0 && !this.#shelves.has(`${kind} ${server}`)) void this.load(server, kind);
  }

  /** Loads the lists of every connected server that are not there yet, so that they can be searched. */
  wantAll(): void {
    for (const server of this.#since.keys())
      for (const kind of ['tools', 'prompts', 'resources'] as const) this.want(server, kind);
  }

  async load(server: string, kind: Kind): Promise<void> {
    const key = `${kind} ${server}`;
    const since = this.#since.get(server);
    const put = (shelf: Shelf<Kinds[Kind]>) => {
      if (this.#since.get(server) === since) this.#shelves.set(key, shelf);
    };
    put({ ...(this.#shelves.get(key) ?? EMPTY), loading: true });
    try {
      put({ listing: await this.#pull(server, kind), problem: null, loading: false });
    } catch (error) {
      put({ listing: null, problem: asProblem(error), loading: false });
    }
  }

  #pull(server: string, kind: Kind): Promise<ListingView<Kinds[Kind]>> {
    if (kind === 'tools') return this.ipc.listTools(server);
    if (kind === 'prompts') return this.ipc.listPrompts(server);
    return kind === 'resources' ? this.ipc.listResources(server) : this.ipc.listTemplates(server);
  }
}

/** Resources and templates as one shelf. Templates that can't be listed hide no resource. */
export function joined(
  resources: Shelf<ResourceView>,
  templates: Shelf<TemplateView>,
): Shelf<ResourceView | TemplateView> {
  const [first, second] = [resources.listing, templates.listing];
  const stopped = [
    first?.stopped,
    second?.stopped && `of the templates, ${second.stopped}`,
    templates.problem && `the templates can't be listed: ${templates.problem.message}`,
  ];
  return {
    listing: first && {
      items: [...first.items, ...(second?.items ?? [])],
      unreadable: [...first.unreadable, ...(second?.unreadable ?? [])],
      stopped: stopped.filter(Boolean).join('; ') || null,
    },
    problem: resources.problem,
    loading: resources.loading || templates.loading,
  };
}
