/** Chooses the host: Tauri's in the app, the twin in a browser while developing. A built page without Tauri has none. */
import type { Ipc } from './ipc';

export async function openIpc(): Promise<Ipc> {
  if ('__TAURI_INTERNALS__' in window) return (await import('./tauri')).tauriIpc;
  if (import.meta.env.DEV || import.meta.env.MODE === 'demo') {
    const { MemoryIpc } = await import('./memory');
    const { scene } = await import('./memory-scenes');
    return scene(new MemoryIpc(), new URLSearchParams(location.search).get('scene') ?? 'lively');
  }
  throw new Error('This page is a part of Gatehouse and works in its window only.');
}

/** What goes wrong in the page is told to the host's log; a page has no other place to say it. */
export function reportErrors(ipc: Ipc): void {
  const report = (error: unknown) => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    ipc.pageError(message).catch(() => undefined);
  };
  window.addEventListener('error', (event) => report(event.error ?? event.message));
  window.addEventListener('unhandledrejection', (event) => report(event.reason));
}
