import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import App from '../src/App.svelte';
import { limitOf } from '../src/features/calls/limit';
import { MemoryIpc } from '../src/ipc/memory';
import { demoFolders, demoServers } from '../src/ipc/memory-data';
import { count, duration, moment, number, speak } from '../src/kit/locale.svelte';

const get = (id: string) => {
  const found = document.querySelector<HTMLInputElement>(`[data-testid="${id}"]`);
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
async function click(id: string) {
  await fireEvent.click(get(id));
  await settle();
}
async function choose(id: string, value: string) {
  await fireEvent.change(get(id), { target: { value } });
  await settle();
}

let ipc: MemoryIpc;
let sent: string[][];
beforeEach(async () => {
  ipc = new MemoryIpc();
  ipc.folders = demoFolders();
  ipc.servers = demoServers();
  sent = [];
  const app = ipc.changeSettings.bind(ipc);
  const server = ipc.changeServer.bind(ipc);
  vi.spyOn(ipc, 'changeSettings').mockImplementation((key, value) => (sent.push([key, value]), app(key, value)));
  vi.spyOn(ipc, 'changeServer').mockImplementation(
    (name, key, value) => (sent.push([name, key, value]), server(name, key, value)),
  );
  render(App, { ipc });
  await settle();
});
afterEach(() => {
  cleanup();
  speak(null);
});

it('sends each change of the app in the words of the command, and shows what is set', async () => {
  await click('nav-settings');
  await choose('setting-theme', 'dark');
  await choose('setting-language', 'de');
  await click('setting-notifications');
  await choose('setting-time-limit', '60');
  await choose('setting-longest-call', '600');
  await click('setting-history');
  await choose('setting-calls-kept', '50');
  await choose('setting-traffic', '32');
  expect(sent).toEqual([
    ['theme', 'dark'],
    ['language', 'de'],
    ['notifications', 'off'],
    ['time-limit', '60'],
    ['longest-call', '600'],
    ['history', 'off'],
    ['calls-kept', '50'],
    ['traffic', '32'],
  ]);
  expect([get('setting-theme').value, get('setting-time-limit').value]).toEqual(['dark', '60']);
  expect([get('setting-notifications').checked, get('setting-history').checked]).toEqual([false, false]);
});

it('draws the theme and writes dates and numbers as it is set, at once and wherever it was set', async () => {
  await click('nav-settings');
  expect(document.documentElement.dataset.theme).toBe('system');
  await choose('setting-theme', 'contrast');
  expect(document.documentElement.dataset.theme).toBe('contrast');
  ipc.settings = { ...ipc.settings, theme: 'light', language: 'de' };
  ipc.changed('settings');
  await settle();
  expect(document.documentElement.dataset.theme).toBe('light');
  expect(get('settings').textContent).toContain('1.234.567,89');
  await choose('setting-language', 'system');
  expect(get('settings').textContent).not.toContain('1.234.567,89');
});

it('keeps what was refused in its field with the reason, until it is mended', async () => {
  await click('nav-settings');
  await choose('setting-time-limit', '4000');
  expect(get('setting-time-limit').value).toBe('4000');
  expect(get('setting-time-limit').getAttribute('aria-invalid')).toBe('true');
  expect(get('settings').textContent).toContain("can't be longer than the longest call (3600 s)");
  await choose('setting-time-limit', '40');
  expect(get('settings').textContent).not.toContain("can't be longer");
  expect([get('setting-time-limit').value, ipc.settings.timeLimit]).toEqual(['40', 40]);
});

it('switches the offers of one server, and shows what is set where that is refused', async () => {
  await click('tab-settings');
  expect(get('server-sampling').checked).toBe(false);
  for (const key of ['roots', 'forms', 'links', 'sampling', 'history']) await click(`server-${key}`);
  await choose('server-era', 'legacy');
  await choose('server-log', 'warning');
  await choose('server-time-limit', '9');
  await choose('server-time-limit', '');
  expect(sent.map(([name, ...change]) => (expect(name).toBe('notes'), change.join('=')))).toEqual([
    'roots=off',
    'forms=off',
    'links=off',
    'sampling=on',
    'history=off',
    'era=legacy',
    'log=warning',
    'time-limit=9',
    'time-limit=default',
  ]);
  vi.mocked(ipc.changeServer).mockRejectedValueOnce({ code: 'storage', message: 'the disk is full' });
  await click('server-roots');
  expect(get('server-roots').checked).toBe(false);
  expect(get('server-settings').textContent).toContain('the disk is full');
});

it('says when a change reaches the server', async () => {
  await click('tab-settings');
  expect(get('server-settings').textContent).toContain('A change counts from the next one on');
  await choose('server-era', 'legacy');
  expect(get('server-settings').textContent).toContain('It speaks modern now');
  const notes = ipc.servers[0];
  if (notes?.connection.state !== 'ready') throw new Error('it is ready');
  ipc.patch('notes', { connection: { ...notes.connection, modern: false, revision: '2025-11-25' } });
  await settle();
  expect(get('server-settings').textContent).toContain('refused at once');
  expect(get('server-settings').textContent).not.toContain('It speaks');
  ipc.settings = { ...ipc.settings, history: false };
  ipc.changed('settings');
  await settle();
  expect(get('server-settings').textContent).toContain('keeps no calls at all now');
});

it('calls within the limit that is typed for the call, and not with one that is no time', async () => {
  const called = vi.spyOn(ipc, 'callTool');
  await click('tool-list_folders');
  expect(get('call-limit').placeholder).toBe('300');
  await fireEvent.input(get('call-limit'), { target: { value: 'soon' } });
  await click('call');
  expect(called).not.toHaveBeenCalled();
  expect(get('call-limit').getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(get('call-limit'));
  await fireEvent.input(get('call-limit'), { target: { value: '2,5' } });
  await click('call');
  expect(called).toHaveBeenCalledWith('notes', 'list_folders', '{}', 2.5);
});

it.each([
  ['', null],
  [' 7 ', 7],
  ['0.25', 0.25],
  ['0', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['86401', undefined],
])('reads “%s” as a limit', (typed, expected) => {
  expect(limitOf(typed)).toBe(expected);
});

it('writes dates and numbers in the chosen language, and in the system’s where nobody speaks it', () => {
  speak('de');
  expect([number(1234567.5), count(2500, 'row'), duration(1500), duration(5)]).toEqual([
    '1.234.567,5',
    '2.500 rows',
    '1,5 s',
    '5 ms',
  ]);
  expect(moment('2026-03-01T12:00:00Z', false)).toContain('01.03.2026');
  expect(moment('no time')).toBe('no time');
  const system = new Intl.NumberFormat().format(1234567.5);
  for (const tag of [null, 'xx-not-a-language', '!']) {
    speak(tag);
    expect(number(1234567.5)).toBe(system);
  }
});
