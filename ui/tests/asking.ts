/** A desk with its dialog on the page, and what a person does there. The clock is the test's. */
import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { vi } from 'vitest';
import { QuestionDesk } from '../src/features/questions/desk.svelte';
import QuestionDialog from '../src/features/questions/QuestionDialog.svelte';
import { MemoryIpc } from '../src/ipc/memory';
import { choices, demoFolders, demoServers, formFields } from '../src/ipc/memory-data';
import type { QuestionBody } from '../src/ipc/types';

export const find = (id: string) => document.querySelector<HTMLElement>(`[data-testid="${id}"]`);
export const get = (id: string): HTMLElement => {
  const found = find(id);
  if (!found) throw new Error(`there is no ${id} on the page`);
  return found;
};
export const dead = (id: string) => get(id).getAttribute('aria-disabled') === 'true';

export async function settle(ms = 0) {
  flushSync();
  await vi.advanceTimersByTimeAsync(ms);
  await tick();
  flushSync();
}
/** A whole press with the pointer. */
export async function press(id: string) {
  await fireEvent.pointerDown(get(id));
  await fireEvent.click(get(id));
}
/** A press with a key, as a browser makes it: the click comes where nobody prevents the key. */
export async function type(key: string, repeat = false) {
  const target = document.activeElement as HTMLElement;
  const goes = await fireEvent.keyDown(target, { key, repeat });
  if (goes && key === 'Enter') await fireEvent.click(target);
}

export class Scene {
  focused = true;
  notes: string[] = [];
  readonly ipc = new MemoryIpc();
  readonly desk = new QuestionDesk(this.ipc, (message) => this.notes.push(message));

  async open() {
    vi.useFakeTimers();
    vi.spyOn(document, 'hasFocus').mockImplementation(() => this.focused);
    this.ipc.folders = demoFolders();
    this.ipc.servers = demoServers();
    await this.ipc.watch((update) => {
      if (update.type === 'questions') this.desk.apply(update.questions);
    });
    render(QuestionDialog, { desk: this.desk, ipc: this.ipc });
  }
  async close() {
    cleanup();
    await vi.runAllTimersAsync();
    vi.useRealTimers();
  }
  async ask(body: QuestionBody, server = 'notes') {
    void this.ipc.ask(server, body);
    await settle(50);
  }
  roots = (): QuestionBody => ({ kind: 'roots', folders: choices(this.ipc.folders) });
  form = (): QuestionBody => ({ kind: 'form', message: 'Hello', fields: formFields, draft: null });
}
