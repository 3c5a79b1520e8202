/** Everything that the palette leads to, made from what the page knows. Each is what a click elsewhere does, and no more. */
import type { Entry } from '../features/palette/match';
import type { ServerView } from '../ipc/types';
import { stateWord } from '../ipc/words';
import type { House } from './house.svelte';

/** The part of the page to look at afterwards. */
const DETAIL = '[data-detail]';

export function destinations(house: House): Entry[] {
  const servers = house.mirror.servers ?? [];
  return [
    ...waiting(house),
    ...pages(house),
    ...servers.flatMap((server) => ofServer(house, server)),
    ...folders(house),
  ].concat(servers.flatMap((server) => shelves(house, server.name)));
}

function waiting(house: House): Entry[] {
  return house.desk.waiting.map((question) => ({
    id: `question-${question.id}`,
    label: `The question of ${question.server}`,
    hint: 'Waits for you',
    run: () => house.desk.takeUp(),
  }));
}

function pages(house: House): Entry[] {
  return [
    { id: 'history', label: 'History', hint: 'Page', run: () => house.openHistory() },
    { id: 'record', label: 'Record', hint: 'Page', keys: 'Ctrl 9', run: () => house.go({ at: 'record' }) },
    {
      id: 'grants',
      label: 'Remembered decisions',
      hint: 'Page',
      keys: 'Ctrl 8',
      run: () => house.go({ at: 'grants' }),
    },
    { id: 'settings', label: 'Settings', hint: 'Page', keys: 'Ctrl ,', run: () => house.go({ at: 'settings' }) },
    { id: 'add-folders', label: 'Add folders…', hint: 'Folders', run: () => void house.addFolders() },
    { id: 'add-server', label: 'Add a server…', hint: 'Servers', run: () => void (house.adding = true) },
    { id: 'demo', label: 'Try the demo server', hint: 'Servers', run: () => void house.demo() },
    { id: 'keys', label: 'Keys', hint: 'Help', keys: 'F1', run: () => house.openOver('keys') },
  ];
}

function ofServer(house: House, server: ServerView): Entry[] {
  const { name } = server;
  const { state } = server.connection;
  const open = (tab: typeof house.tab) => () => {
    house.go({ at: 'server', name });
    house.look(tab);
  };
  const tabs = (['tools', 'prompts', 'resources', 'traffic', 'log', 'settings'] as const).map((tab) => ({
    id: `${tab}-of-${name}`,
    label: `${name}: ${tab}`,
    hint: 'Server',
    run: open(tab),
  }));
  const running = state === 'ready' || state === 'starting';
  const toggle: Entry = running
    ? {
        id: `disconnect-${name}`,
        label: `Disconnect ${name}`,
        hint: stateWord(server.connection),
        run: () => house.try(house.ipc.disconnectServer(name)),
      }
    : {
        id: `connect-${name}`,
        label: `Connect ${name}`,
        hint: stateWord(server.connection),
        run: () => house.connect(name),
      };
  const can = running || (server.problem === null && state !== 'stopping');
  return [
    {
      id: `server-${name}`,
      label: name,
      hint: `Server · ${stateWord(server.connection)}`,
      run: () => house.go({ at: 'server', name }),
    },
    ...(can ? [toggle] : []),
    ...tabs,
  ];
}

function folders(house: House): Entry[] {
  return (house.mirror.folders ?? []).flatMap((folder) => [
    {
      id: `folder-${folder.id}`,
      label: folder.name,
      hint: `Folder · ${folder.path}`,
      focus: `[data-testid="folder-name-${folder.id}"]`,
      run: () => undefined,
    },
    {
      id: `folder-remove-${folder.id}`,
      label: `Remove ${folder.name} from the list`,
      hint: `Folder · ${folder.path}`,
      run: () => house.removeFolder(folder),
    },
  ]);
}

/** What is on the lists of a server, as far as they were loaded. */
function shelves(house: House, server: string): Entry[] {
  const to = (tab: 'tools' | 'prompts' | 'resources', id: string) => () => {
    house.go({ at: 'server', name: server });
    house.look(tab);
    house.choose(server, tab, id);
  };
  const items = <K extends 'tools' | 'prompts' | 'resources'>(kind: K) =>
    house.catalogue.shelf(server, kind).listing?.items ?? [];
  const titled = (label: string, title: string | null) => (title && title !== label ? `${label} · ${title}` : label);
  return [
    ...items('tools').map((tool) => ({
      id: `tool-${server}-${tool.name}`,
      label: titled(tool.label, tool.title),
      hint: `Tool of ${server}`,
      focus: DETAIL,
      run: to('tools', tool.name),
    })),
    ...items('prompts').map((prompt) => ({
      id: `prompt-${server}-${prompt.name}`,
      label: titled(prompt.label, prompt.title),
      hint: `Prompt of ${server}`,
      focus: DETAIL,
      run: to('prompts', prompt.name),
    })),
    ...items('resources').map((resource, index) => ({
      id: `resource-${server}-${index}`,
      label: titled(resource.name, resource.label),
      hint: `Resource of ${server}`,
      focus: DETAIL,
      run: to('resources', `${index} ${resource.uri}`),
    })),
  ];
}
