/** The window as something to live in: the palette, the keys, undo, what is said aloud, and how large it is. */
import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Announcer, PACE_MS } from '../src/app/announce.svelte';
import { Zoom } from '../src/app/zoom.svelte';
import App from '../src/App.svelte';
import { score, search } from '../src/features/palette/match';
import { MemoryIpc } from '../src/ipc/memory';
import { demoFolders, demoServers } from '../src/ipc/memory-data';
import type { CallView, QuestionView } from '../src/ipc/types';

const find = (id: string) => document.querySelector<HTMLElement>(`[data-testid="${id}"]`);
const get = (id: string): HTMLElement => {
  const found = find(id);
  if (!found) throw new Error(`there is no ${id} on the page`);
  return found;
};
async function settle(ms = 2) {
  for (let turn = 0; turn < 8; turn++) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await tick();
    flushSync();
  }
}
const key = (key: string, more: KeyboardEventInit = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });

let ipc: MemoryIpc;
beforeEach(async () => {
  localStorage.clear();
  ipc = new MemoryIpc();
  ipc.folders = demoFolders();
  ipc.servers = demoServers();
});
afterEach(() => {
  cleanup();
  document.documentElement.style.fontSize = '';
});
async function open() {
  render(App, { ipc });
  await settle();
}
async function palette(typed: string) {
  await key('k', { ctrlKey: true });
  await settle();
  await fireEvent.input(get('palette-input'), { target: { value: typed } });
  await settle();
}

describe('what fits', () => {
  const entry = (label: string, hint = '') => ({ label, hint });

  it.each<[string, string, string]>([
    ['rec', 'Record', 'find_records'],
    ['notes', 'notes', 'find_notes'],
    ['find n', 'find_notes', 'refind_now'],
    ['fn', 'find_notes', 'Add folders and then more things of some kind'],
    ['tool', 'tool', 'a stool'],
  ])('%j finds %j before %j', (typed, better, worse) => {
    const found = search([entry(worse), entry(better)], typed).map(({ label }) => label);
    expect(found[0]).toBe(better);
  });

  it('needs every word, in the label or beside it', () => {
    expect(score('find notes', entry('find', 'Tool of notes'))).not.toBeNull();
    expect(score('find ledger', entry('find', 'Tool of notes'))).toBeNull();
    expect(search([entry('a'), entry('b')], '  ').length).toBe(2);
  });

  it('takes ten thousand entries without a pause', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => entry(`tool_number_${at}`, 'Tool of big'));
    const began = performance.now();
    expect(search(many, 'tool 9999')[0]?.label).toBe('tool_number_9999');
    expect(performance.now() - began).toBeLessThan(1000);
  });
});

describe('the palette', () => {
  it('opens with a key, goes where Enter says, and closes', async () => {
    await open();
    await palette('record');
    expect(get('palette-input').getAttribute('role')).toBe('combobox');
    const at = get('palette-input').getAttribute('aria-activedescendant') ?? '';
    expect(document.getElementById(at)?.dataset['testid']).toBe('palette-record');
    await key('Enter');
    await settle(10);
    expect(find('palette')).toBeNull();
    expect(get('nav-record').getAttribute('aria-current')).toBe('page');
    expect(document.activeElement?.id).toBe('page');
  });

  it('leads to a tool of a server that was never looked at', async () => {
    await open();
    await key('9', { ctrlKey: true });
    await palette('find_notes');
    await key('Enter');
    await settle(10);
    expect(get('tool-find_notes').getAttribute('aria-selected')).toBe('true');
    expect(find('call')).not.toBeNull();
  });

  it('moves with the arrows, round at the ends, and says how many there are', async () => {
    await open();
    await palette('folder');
    const chosen = () => document.querySelector('[role=option][aria-selected=true]')?.id;
    const first = chosen();
    await key('ArrowDown');
    await settle();
    expect(chosen()).not.toBe(first);
    await key('ArrowUp');
    await key('ArrowUp');
    await settle();
    const all = document.querySelectorAll('[data-testid=palette] [role=option]');
    expect(chosen()).toBe(all[all.length - 1]?.id);
    await fireEvent.input(get('palette-input'), { target: { value: 'zzzz' } });
    await settle();
    expect(get('palette').textContent).toContain('Nothing fits');
    await key('Enter');
    expect(find('palette')).not.toBeNull();
    await key('Escape');
    await settle();
    expect(find('palette')).toBeNull();
  });

  it('adds folders through the picker only', async () => {
    const pick = vi.spyOn(ipc, 'pickFolders');
    const add = vi.spyOn(ipc, 'addFolderPath');
    await open();
    await palette('add folders');
    add.mockClear();
    await key('Enter');
    await settle();
    expect(pick).toHaveBeenCalledOnce();
  });

  it('does not open over a question, and a question closes it without an answer', async () => {
    await open();
    await palette('record');
    void ipc.ask('notes', { kind: 'roots', folders: [] });
    await settle();
    expect(find('palette')).toBeNull();
    expect(find('question')).not.toBeNull();
    for (const combination of ['k', '9', 'z']) await key(combination, { ctrlKey: true });
    await key('F1');
    await key('?');
    await settle();
    expect([find('palette'), find('keys')]).toEqual([null, null]);
    expect(ipc.answers).toEqual([]);
    expect(find('question')).not.toBeNull();
  });

  it('finds a question that was put aside', async () => {
    await open();
    void ipc.ask('notes', { kind: 'roots', folders: [] });
    await settle();
    await fireEvent.click(get('question-later'));
    await settle();
    await palette('waits');
    await key('Enter');
    await settle(10);
    expect(get('question-server').textContent).toBe('notes');
    expect(ipc.answers).toEqual([]);
  });
});

describe('the keys', () => {
  it('are listed by F1 and by a question mark, which can be switched off', async () => {
    await open();
    await key('F1');
    await settle();
    expect(get('keys').textContent).toContain('Go to a page');
    await fireEvent.click(get('keys-mark'));
    await fireEvent.click(get('keys-close'));
    await settle();
    await key('?');
    await settle();
    expect(find('keys')).toBeNull();
    await key('F1');
    await settle();
    await fireEvent.click(get('keys-mark'));
    await fireEvent.click(get('keys-close'));
    await settle();
    await key('?');
    await settle();
    expect(find('keys')).not.toBeNull();
  });

  it('are letters where somebody writes', async () => {
    await open();
    get('search-tools').focus();
    await key('?');
    await settle();
    expect(find('keys')).toBeNull();
  });

  it('move between the parts of the window', async () => {
    await open();
    get('nav-record').focus();
    await key('F6');
    expect(document.activeElement?.id).toBe('page');
    await key('F6');
    expect(document.activeElement?.closest('nav')).not.toBeNull();
    await fireEvent.click(get('skip'));
    expect(document.activeElement?.id).toBe('page');
  });
});

describe('undo', () => {
  it('puts a folder back where it was', async () => {
    await open();
    await fireEvent.click(get('folder-remove-2'));
    await settle();
    expect(get('undo-line').textContent).toContain('off the list');
    await fireEvent.click(get('undo'));
    await settle();
    expect(ipc.folders.map(({ name }) => name)).toEqual(demoFolders().map(({ name }) => name));
    expect(find('undo-line')).toBeNull();
  });

  it('takes back a name and an order with the keys, outside of a field', async () => {
    await open();
    await fireEvent.click(get('folder-rename-1'));
    await fireEvent.input(get('folder-name-1'), { target: { value: 'engine' } });
    await fireEvent.keyDown(get('folder-name-1'), { key: 'Enter' });
    await settle();
    expect(get('folder-name-1').textContent).toBe('engine');
    get('nav-record').focus();
    await key('z', { ctrlKey: true });
    await settle();
    expect(get('folder-name-1').textContent).toBe('analytical-engine');
    await fireEvent.click(get('folder-down-1'));
    await settle();
    get('search-tools').focus();
    await key('z', { ctrlKey: true });
    await settle();
    expect(ipc.folders.map(({ id }) => id)).toEqual([2, 1, 3]);
    get('nav-record').focus();
    await key('z', { ctrlKey: true });
    await settle();
    expect(ipc.folders.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('puts a server back', async () => {
    const add = vi.spyOn(ipc, 'addServer');
    await open();
    const [first] = ipc.servers;
    await fireEvent.click(get('server-remove'));
    await settle();
    expect(ipc.servers.some(({ name }) => name === first?.name)).toBe(false);
    await fireEvent.click(get('undo'));
    await settle();
    expect(ipc.servers[0]?.name).toBe(first?.name);
    expect(add).not.toHaveBeenCalled();
  });
});

describe('what is said', () => {
  const call = (id: number, state: CallView['state'], more: Partial<CallView> = {}): CallView => ({
    id,
    server: 's',
    method: 'tools/call',
    target: 't',
    round: 1,
    startedAt: 0,
    endedAt: null,
    progress: null,
    state,
    ...more,
  });
  const question = (id: number) => ({ id, server: 's' }) as QuestionView;

  it('tells of a question that arrives, not of those that were there', () => {
    const announcer = new Announcer();
    announcer.questions([question(1)]);
    expect(announcer.said).toBe('');
    announcer.questions([question(1), question(2)]);
    expect(announcer.said).toBe('A question of s arrived');
    announcer.questions([question(2), question(3), question(4)]);
    expect(announcer.said).toBe('2 questions arrived');
  });

  it('tells how a call ended, and its progress at a humane rate', () => {
    vi.useFakeTimers({ now: 0 });
    const announcer = new Announcer();
    announcer.calls([]);
    const far = (value: string, fraction: number) =>
      announcer.calls([call(1, { state: 'running' }, { progress: { value, total: '10', fraction, message: null } })]);
    far('1', 0.1);
    expect(announcer.said).toBe('');
    vi.setSystemTime(PACE_MS);
    far('5', 0.5);
    expect(announcer.said).toBe('t: 50 percent');
    vi.setSystemTime(PACE_MS + 1000);
    far('6', 0.6);
    expect(announcer.said).toBe('t: 50 percent');
    announcer.calls([call(1, { state: 'done' })]);
    expect(announcer.said).toBe('t has its result');
    vi.useRealTimers();
  });
});

describe('how large it is', () => {
  it('grows, shrinks and stays', async () => {
    await open();
    await key('+', { ctrlKey: true });
    expect(document.documentElement.style.fontSize).toBe('110%');
    for (let step = 0; step < 9; step++) await key('+', { ctrlKey: true });
    expect(document.documentElement.style.fontSize).toBe('250%');
    await key('-', { ctrlKey: true });
    expect(new Zoom().percent).toBe(200);
    await key('0', { ctrlKey: true });
    expect(document.documentElement.style.fontSize).toBe('');
    expect(new Zoom().percent).toBe(100);
  });
});
