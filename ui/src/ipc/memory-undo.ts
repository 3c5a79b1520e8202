/** What the twin takes away and puts back. */
import type { MemoryIpc } from './memory';
import type { FolderView, ServerView } from './types';

const folders = new WeakMap<MemoryIpc, { folder: FolderView; at: number }[]>();
const servers = new WeakMap<MemoryIpc, { server: ServerView; at: number }[]>();
const gone = (what: string) => ({ code: 'notFound', message: `there is no removed ${what}` });

export async function removeFolder(ipc: MemoryIpc, id: number) {
  const at = ipc.folders.findIndex((folder) => folder.id === id);
  const [folder] = at < 0 ? [] : ipc.folders.splice(at, 1);
  if (folder) folders.set(ipc, [...(folders.get(ipc) ?? []), { folder, at }]);
  ipc.changed('folders');
}
export async function restoreFolder(ipc: MemoryIpc, id: number) {
  const taken = folders.get(ipc)?.findLast(({ folder }) => folder.id === id);
  if (!taken) throw gone(`folder ${id}`);
  ipc.folders.splice(taken.at, 0, { ...taken.folder, id: id + 1000 });
  ipc.changed('folders');
}
export async function removeServer(ipc: MemoryIpc, name: string) {
  const at = ipc.servers.findIndex((server) => server.name === name);
  const [server] = at < 0 ? [] : ipc.servers.splice(at, 1);
  if (server) servers.set(ipc, [...(servers.get(ipc) ?? []), { server, at }]);
  ipc.changed('servers');
}
export async function restoreServer(ipc: MemoryIpc, name: string) {
  const taken = servers.get(ipc)?.findLast(({ server }) => server.name === name);
  if (!taken) throw gone(`server ${name}`);
  ipc.servers.splice(taken.at, 0, { ...taken.server, connection: { state: 'idle' } });
  ipc.changed('servers');
}
