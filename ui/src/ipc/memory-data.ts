/** What the twin begins with: folders, servers and lists of a person who does not exist. */
import { DRAWING } from './memory-resources';
import type {
  DefinitionView,
  FieldView,
  FolderView,
  ListingView,
  PromptView,
  QuestionBody,
  RecordRow,
  RootChoice,
  ServerSettings,
  ServerView,
  Settings,
  ToolView,
} from './types';

export function folder(id: number, path: string, more: Partial<FolderView> = {}): FolderView {
  const name = path.split('/').pop() ?? path;
  return { id, path, realPath: null, name, uri: `file://${encodeURI(path)}`, health: { state: 'ready' }, ...more };
}

export function definition(command: string, args: string[], more: Partial<DefinitionView> = {}): DefinitionView {
  return { command, args, env: [], cwd: null, fingerprint: '9f2c41d07ab3', ...more };
}

export const serverSettings: ServerSettings = {
  era: 'automatic',
  roots: true,
  forms: true,
  links: true,
  sampling: false,
  timeLimit: null,
  log: null,
  history: true,
};

export const settings: Settings = {
  theme: 'system',
  language: null,
  traffic: 16,
  timeLimit: 300,
  longestCall: 3600,
  history: true,
  callsKept: 1000,
  notifications: true,
};

export function server(name: string, what: DefinitionView, more: Partial<ServerView> = {}): ServerView {
  return {
    name,
    definition: what,
    trust: 'trusted',
    disabled: false,
    settings: serverSettings,
    sharedThisRun: false,
    watched: [],
    connection: { state: 'idle' },
    listChanges: 0,
    stderr: [],
    problem: null,
    ...more,
  };
}

/** A definition as it was before somebody changed it. */
export function before(now: DefinitionView): DefinitionView {
  return { ...now, args: ['git-history-mcp@1.2.0', ...now.args.slice(1, 3)], env: [], fingerprint: '4410aa9be1d0' };
}

export const demoDefinition = definition('/usr/lib/gatehouse/gatehouse', ['demo-server'], {
  fingerprint: '51c0be77a94e',
});

export function demoFolders(): FolderView[] {
  return [
    folder(1, '/home/ada/work/analytical-engine'),
    folder(2, '/home/ada/notes', { realPath: '/mnt/data/notes' }),
    folder(3, '/home/ada/work/old-loom', { health: { state: 'missing' } }),
  ];
}

export function demoServers(): ServerView[] {
  return [
    server(
      'notes',
      definition('npx', ['-y', '@example/notes-server', '--read-only'], { env: [{ key: 'NOTES_LANG', value: 'en' }] }),
      {
        listChanges: 0,
        stderr: ['notes-server 1.4.2', 'listening on stdio', 'index: 214 notes in 3 folders'],
        connection: {
          state: 'ready',
          since: Date.now() - 60_000,
          revision: '2026-07-28',
          modern: true,
          pid: 41873,
          suggests: true,
          watchable: true,
          identity: {
            name: 'notes-server',
            title: 'Notes',
            version: '1.4.2',
            icon: { light: DRAWING, dark: null, remote: null },
            instructions: 'Ask for a topic first.',
          },
        },
      },
    ),
    server(
      'git-history',
      definition('uvx', ['git-history-mcp', '--max', '200', '--since', '2 weeks ago'], {
        fingerprint: 'c81d2e90f455',
        cwd: '/home/ada/work/analytical-engine',
        env: [{ key: 'GIT_PAGER', value: 'cat' }],
      }),
      { trust: 'changed' },
    ),
    server('search', definition('/opt/search/bin/search-mcp', [], { fingerprint: '0a77d3b1e6c2' }), {
      connection: {
        state: 'failed',
        reason: 'search did not start: /opt/search/bin/search-mcp: no such file',
        hint: 'Install the program, or correct the command in servers.json.',
      },
      listChanges: 0,
      stderr: ['sh: /opt/search/bin/search-mcp: not found'],
    }),
  ];
}

/** A tool without arguments. */
export function plainTool(name: string): ToolView {
  const about = { title: null, description: null, outputSchema: null, annotations: null, changed: null, icon: null };
  return { name, label: name, inputSchema: '{"type":"object"}', ...about };
}

export const tools: ListingView<ToolView> = {
  items: [
    {
      name: 'find_notes',
      label: 'find_notes',
      title: 'Find notes',
      description: 'Looks for notes in your folders and gives the best matches with a line of context each.',
      inputSchema: JSON.stringify({
        type: 'object',
        properties: {
          query: { type: 'string', description: 'Words to look for' },
          limit: { type: 'integer', description: 'How many at most', default: 10 },
          order: { type: 'string', enum: ['newest', 'oldest', 'best'] },
          archived: { type: 'boolean', description: 'Look in the archive too' },
          tags: { type: 'array', items: { type: 'string' } },
        },
        required: ['query'],
      }),
      outputSchema: null,
      annotations: null,
      changed: null,
      icon: null,
    },
    {
      name: 'list_folders',
      label: 'list_folders',
      title: null,
      description: 'Asks for your folders and lists what it was told.',
      inputSchema: '{"type":"object"}',
      outputSchema: null,
      annotations: null,
      changed: null,
      icon: null,
    },
    {
      name: 'new_note',
      label: 'new_note',
      title: 'New note',
      description: 'Asks for a title and writes a note.',
      inputSchema: '{"type":"object","properties":{}}',
      outputSchema: null,
      annotations: null,
      changed: null,
      icon: null,
    },
    {
      name: 'fail',
      label: 'fail',
      title: null,
      description: 'Always ends with an error of its own.',
      inputSchema: '{"type":"object"}',
      outputSchema: null,
      annotations: null,
      changed: null,
      icon: null,
    },
    {
      name: 'slow',
      label: 'slow',
      title: null,
      description: 'Works until it is cancelled.',
      inputSchema: '{"type":"object"}',
      outputSchema: null,
      annotations: null,
      changed: null,
      icon: null,
    },
  ],
  unreadable: [{ name: 'broken', reason: 'inputSchema is not an object', text: '{"name":"broken","inputSchema":7}' }],
  stopped: null,
};

export const prompts: ListingView<PromptView> = {
  items: [
    {
      name: 'summarise',
      label: 'summarise',
      title: 'Summarise a note',
      description: 'A prompt that asks for a short summary.',
      arguments: [
        { name: 'topic', label: 'topic', description: 'What the note is about', required: true },
        { name: 'tone', label: 'tone', description: null, required: false },
      ],
      icon: null,
    },
  ],
  unreadable: [],
  stopped: null,
};

export function choices(folders: FolderView[]): RootChoice[] {
  return folders.map(({ id, name, path, realPath, health }) => ({
    id,
    name,
    path,
    realPath,
    health,
    ticked: health.state === 'ready',
    note: realPath ? 'Shared before; it leads elsewhere since.' : null,
  }));
}

export const page: QuestionBody = {
  kind: 'link',
  message: 'Please sign in, so that I can read your notes.',
  url: 'http://ada@accounts.example.org:8080/sign-in?next=notes',
  link: {
    url: 'http://ada@accounts.example.org:8080/sign-in?next=notes',
    host: 'accounts.example.org',
    displayHost: null,
    warnings: ['notEncrypted', 'userInfo', 'port'],
  },
  problem: null,
};

export const formFields: FieldView[] = [
  {
    key: 'title',
    title: 'Title',
    description: 'Shown at the top of the note',
    required: true,
    default: null,
    kind: { type: 'text', format: null, minLength: 1, maxLength: 80 },
  },
  {
    key: 'reply',
    title: 'Reply address',
    description: null,
    required: false,
    default: '"ada@example.org"',
    kind: { type: 'text', format: 'email', minLength: null, maxLength: null },
  },
  {
    key: 'number',
    title: 'Note number',
    description: null,
    required: false,
    default: '9007199254740993',
    kind: { type: 'number', integer: true, minimum: '1', maximum: null },
  },
  {
    key: 'pinned',
    title: 'Keep at the top',
    description: null,
    required: false,
    default: 'true',
    kind: { type: 'boolean' },
  },
  {
    key: 'shelf',
    title: 'Shelf',
    description: null,
    required: false,
    default: '"work"',
    kind: {
      type: 'choice',
      options: [
        { value: 'work', title: 'Work' },
        { value: 'home', title: 'Home' },
      ],
    },
  },
  {
    key: 'tags',
    title: 'Tags',
    description: null,
    required: false,
    default: '["draft"]',
    kind: {
      type: 'multiChoice',
      minItems: null,
      maxItems: 2,
      options: [
        { value: 'draft', title: 'Draft' },
        { value: 'letter', title: 'Letter' },
        { value: 'proof', title: 'Proof' },
      ],
    },
  },
];

/** A row of the record, of now. */
export function row(seq: number, server: string, occasion: string): RecordRow {
  return {
    seq,
    at: new Date().toISOString(),
    server,
    fingerprint: '9f2c41d07ab3',
    channel: 'input_required',
    occasion,
    round: 1,
    outcome: 'refused',
    decidedBy: { by: 'person', remembered: null },
    folders: [],
    withheld: [],
    sent: null,
    note: null,
    call: null,
  };
}
