import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import App from '../src/App.svelte';
import { CallDesk, runningCall } from '../src/features/calls/calls.svelte';
import { RecordRows } from '../src/features/record/record.svelte';
import { readDraft } from '../src/features/servers/draft';
import { MemoryIpc } from '../src/ipc/memory';
import { demoFolders, demoServers } from '../src/ipc/memory-data';
import type { CallEnd, RecordRow } from '../src/ipc/types';

const find = (id: string) => document.querySelector<HTMLElement>(`[data-testid="${id}"]`);
const get = (id: string): HTMLElement => {
  const found = find(id);
  if (!found) throw new Error(`there is no ${id} on the page`);
  return found;
};
async function settle() {
  for (let turn = 0; turn < 8; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    await tick();
    flushSync();
  }
}

let ipc: MemoryIpc;
beforeEach(() => {
  ipc = new MemoryIpc();
});
afterEach(cleanup);

describe('the window', () => {
  it('is ready when folders and servers came, and welcomes who has none', async () => {
    render(App, { ipc });
    await settle();
    expect(find('app-ready')).not.toBeNull();
    expect(find('welcome')).not.toBeNull();
  });

  it('draws each update whole', async () => {
    render(App, { ipc });
    await settle();
    ipc.folders = demoFolders();
    ipc.changed('folders');
    await settle();
    expect(get('folder-name-1').textContent).toBe('analytical-engine');
    ipc.folders = [];
    ipc.changed('folders');
    await settle();
    expect(find('folder-1')).toBeNull();
  });

  it('offers a typed path where no picker answers', async () => {
    ipc.noPicker = true;
    render(App, { ipc });
    await settle();
    expect(find('type-path')).toBeNull();
    await fireEvent.click(get('add-folders'));
    await settle();
    expect(find('type-path')).not.toBeNull();
  });

  it('renames, moves and removes folders', async () => {
    ipc.folders = demoFolders();
    render(App, { ipc });
    await settle();
    await fireEvent.click(get('folder-rename-1'));
    await fireEvent.input(get('folder-name-1'), { target: { value: 'engine' } });
    await fireEvent.keyDown(get('folder-name-1'), { key: 'Enter' });
    await settle();
    expect(get('folder-name-1').textContent).toBe('engine');
    await fireEvent.keyDown(get('folder-name-1'), { key: 'ArrowDown', altKey: true });
    await settle();
    expect(ipc.folders.map((folder) => folder.id)).toEqual([2, 1, 3]);
    await fireEvent.click(get('folder-remove-2'));
    await settle();
    expect(ipc.folders.map((folder) => folder.id)).toEqual([1, 3]);
  });

  it('calls a tool with what was typed and shows the result', async () => {
    ipc.servers = demoServers();
    const call = vi.spyOn(ipc, 'callTool');
    render(App, { ipc });
    await settle();
    await fireEvent.click(get('tool-find_notes'));
    await fireEvent.input(get('arg-query'), { target: { value: 'loom' } });
    await fireEvent.input(get('arg-limit'), { target: { value: '9007199254740993' } });
    await fireEvent.click(get('call'));
    await settle();
    expect(call).toHaveBeenCalledWith('notes', 'find_notes', '{"query":"loom","limit":9007199254740993}', null);
    expect(get('call-state').textContent).toContain('Waiting for you');
    await fireEvent.click(get('refuse'));
    await settle();
    expect(get('result-declined').textContent).toContain('The call ended here');
  });

  it('loses nothing of the host by a reload: the open question is there again', async () => {
    ipc.servers = demoServers();
    ipc.folders = demoFolders();
    const first = render(App, { ipc });
    await settle();
    void ipc.ask('notes', { kind: 'roots', folders: [] });
    await settle();
    expect(find('question')).not.toBeNull();
    first.unmount();
    await settle();
    expect(find('question')).toBeNull();
    render(App, { ipc });
    await settle();
    expect(get('question-server').textContent).toBe('notes');
  });

  it('adds a server, shows a failed start and keeps notices until dismissed', async () => {
    render(App, { ipc });
    await settle();
    await fireEvent.click(get('add-server'));
    await settle();
    for (const [field, value] of [
      ['name', 'search'],
      ['command', '/opt/x'],
      ['args', '--a\nb c'],
    ] as const) {
      await fireEvent.input(get(`server-form-${field}`), { target: { value } });
    }
    await fireEvent.click(get('server-form-save'));
    await settle();
    expect(ipc.servers[0]?.definition.args).toEqual(['--a', 'b c']);
    ipc.patch('search', { trust: 'trusted' });
    await settle();
    await fireEvent.click(get('server-connect'));
    await settle();
    expect(get('server-state').textContent).toBe('Failed');
    expect(get('server-reason').textContent).toContain('no such file');
    ipc.notices = [{ id: 4, message: 'something happened' }];
    ipc.changed('notices');
    await settle();
    await fireEvent.click(get('notice-dismiss'));
    await settle();
    expect(find('notice')).toBeNull();
  });
});

describe('the record', () => {
  const row = (seq: number) => ({ seq }) as RecordRow;
  it('pulls older rows and puts newer ones on top', async () => {
    const all = Array.from({ length: 120 }, (_, index) => row(120 - index));
    const record = new RecordRows({
      record: async (before, limit) => all.filter(({ seq }) => before === null || seq < before).slice(0, limit),
    });
    await record.newest();
    expect(record.rows.length).toBe(50);
    await record.older();
    all.unshift(row(121));
    await record.newest();
    expect(record.rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 101 }, (_, index) => 121 - index));
    expect(record.whole).toBe(false);
    await record.older();
    expect(record.whole).toBe(true);
  });
});

describe('calls', () => {
  const target = { server: 's', method: 'tools/call', name: 'raw', label: 'shown' } as const;
  it('keeps how a call ended, also with an error', async () => {
    const desk = new CallDesk();
    const running = desk.run(target, () => Promise.reject({ code: 'closed', message: 'gone', call: null }));
    expect(desk.pending(target)).toBe(true);
    await running;
    expect(desk.pending(target)).toBe(false);
    expect(desk.ended(target)?.problem).toEqual({ code: 'closed', message: 'gone', call: null });
    await desk.run(target, async () => ({ end: 'declined', call: 1, message: 'no' }) satisfies CallEnd);
    expect(desk.ended(target)?.end?.end).toBe('declined');
  });
  it('takes up the end of a call from before a reload, where the shown name differs from the raw one', async () => {
    const desk = new CallDesk();
    const state = { state: 'done' } as const;
    const call = {
      id: 7,
      server: 's',
      method: 'tools/call',
      target: 'shown',
      round: 1,
      startedAt: 0,
      endedAt: 1,
      state,
      progress: null,
    };
    desk.adopt([call], async (id) => ({ end: 'declined', call: id, message: 'no' }));
    await settle();
    expect(desk.ended(target)?.end).toEqual({ end: 'declined', call: 7, message: 'no' });
  });
  it('finds the running call of a target by the name that is shown', () => {
    const call = {
      id: 1,
      server: 's',
      method: 'tools/call',
      target: 'shown',
      round: 1,
      startedAt: 0,
      endedAt: null,
      progress: null,
    };
    expect(runningCall([{ ...call, state: { state: 'waiting' } }], target)?.id).toBe(1);
    expect(runningCall([{ ...call, state: { state: 'done' } }], target)).toBeNull();
  });
});

describe('the form of a server', () => {
  it('reads arguments and environment a line each', () => {
    const draft = { name: ' n ', command: 'c', args: '-y\n a b \n\n', env: 'A=1\nB=x=y', cwd: '' };
    expect(readDraft(draft).input).toEqual({
      name: 'n',
      command: 'c',
      args: ['-y', ' a b '],
      env: [
        ['A', '1'],
        ['B', 'x=y'],
      ],
      cwd: null,
    });
    expect(readDraft({ ...draft, env: 'nothing' }).problems.env).toBeTruthy();
  });
});
