import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import App from '../src/App.svelte';
import { claimsOfResource } from '../src/features/calls/claims';
import { REST } from '../src/features/calls/suggest';
import { content } from '../src/features/questions/form';
import { MemoryIpc } from '../src/ipc/memory';
import { demoServers } from '../src/ipc/memory-data';
import { resources } from '../src/ipc/memory-resources';

const find = (id: string) => document.querySelector<HTMLElement>(`[data-testid="${id}"]`);
const get = (id: string): HTMLElement => {
  const found = find(id);
  if (!found) throw new Error(`there is no ${id} on the page`);
  return found;
};
async function settle(ms = 10) {
  await vi.advanceTimersByTimeAsync(ms);
  await tick();
  flushSync();
}
const click = async (id: string) => {
  await fireEvent.click(get(id));
  await settle();
};
const type = async (id: string, value: string) => {
  await fireEvent.input(get(id), { target: { value } });
  await settle();
};
const key = async (id: string, key: string) => {
  await fireEvent.keyDown(get(id), { key });
  await settle();
};

let ipc: MemoryIpc;
beforeEach(async () => {
  vi.useFakeTimers();
  ipc = new MemoryIpc();
  ipc.servers = demoServers();
  render(App, { ipc });
  await settle();
  await click('server-notes');
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a template', () => {
  beforeEach(async () => {
    await fireEvent.click(get('tab-resources'));
    await settle();
  });

  it('stands beside the resources, and shows its address before it is read', async () => {
    expect(get('template-note').textContent).toContain('Template');
    await click('template-note');
    expect(get('template-uri').textContent).toBe('notes://by/');
    await type('variable-author', 'ada b');
    await type('variable-path', 'one\ntwo');
    expect(get('template-uri').textContent).toBe('notes://by/ada%20b/one/two');
    const read = vi.spyOn(ipc, 'readResource');
    await click('call');
    expect(read).toHaveBeenCalledWith('notes', 'notes://by/ada%20b/one/two', null);
    expect(find('result')).not.toBeNull();
    await type('variable-author', 'al');
    expect(find('result'), 'a result belongs to its address').toBeNull();
  });

  it('that makes no address can not be read', async () => {
    await click('template-broken');
    const read = vi.spyOn(ipc, 'readResource');
    expect(get('call').getAttribute('aria-disabled')).toBe('true');
    await click('call');
    expect(read).not.toHaveBeenCalled();
  });

  it('asks for suggestions when typing rests, with the other fields, and not by a look', async () => {
    await click('template-note');
    get('variable-author').focus();
    await settle(REST * 2);
    expect(ipc.typed).toEqual([]);
    await type('variable-year', '1843');
    await settle(REST);
    await type('variable-author', 'a');
    await type('variable-author', 'ad');
    await settle(REST);
    expect(ipc.typed.map(({ argument, value }) => [argument, value])).toEqual([
      ['year', '1843'],
      ['author', 'ad'],
    ]);
    expect(ipc.typed[1]?.others).toEqual([['year', '1843']]);
    expect(get('variable-author').getAttribute('aria-expanded')).toBe('true');
    await key('variable-author', 'ArrowDown');
    await key('variable-author', 'ArrowDown');
    await key('variable-author', 'Enter');
    expect((get('variable-author') as HTMLInputElement).value).toBe('adele');
    expect(find('variable-author-list')).toBeNull();
    expect(get('template-uri').textContent).toBe('notes://by/adele?year=1843');
    await settle(REST * 2);
    expect(ipc.typed.length, 'a choice asks nothing').toBe(2);
  });

  it('stops what is under way when the field is left', async () => {
    await click('template-note');
    ipc.pace = 10_000;
    await type('variable-author', 'a');
    await settle(REST);
    expect([ipc.typed.length, ipc.stopped]).toEqual([1, 0]);
    await fireEvent.blur(get('variable-author'));
    expect(ipc.stopped).toBe(1);
    await settle(20_000);
    expect(find('variable-author-list'), 'what comes late is not shown').toBeNull();
  });

  it('has plain fields where the server suggests nothing', async () => {
    const connection = ipc.servers[0]?.connection;
    if (connection?.state !== 'ready') throw new Error('it is connected');
    ipc.patch('notes', { connection: { ...connection, suggests: false } });
    await settle();
    await click('template-note');
    await type('variable-author', 'a');
    await settle(REST * 2);
    expect([get('variable-author').getAttribute('role'), ipc.typed.length]).toEqual([null, 0]);
  });
});

it('an argument of a prompt has suggestions too, with the other arguments', async () => {
  await fireEvent.click(get('tab-prompts'));
  await settle();
  await click('prompt-summarise');
  await type('arg-tone', 'dry');
  await settle(REST);
  await type('arg-topic', 'gr');
  await settle(REST);
  expect(ipc.typed[1]).toEqual({
    of: 'prompt',
    name: 'summarise',
    argument: 'topic',
    value: 'gr',
    others: [['tone', 'dry']],
  });
  await fireEvent.click(document.querySelector('[role="option"][id$="-0"]:not([data-testid])') as HTMLElement);
  await settle();
  expect((get('arg-topic') as HTMLInputElement).value).toBe('grace');
});

it('a resource that was read can be watched, and says when it changed', async () => {
  await fireEvent.click(get('tab-resources'));
  await settle();
  await click('resource-0');
  expect(find('watch-resource'), 'first it is read').toBeNull();
  expect(get('claim-audience-user').textContent).toBe('for you');
  await click('call');
  await click('watch-resource');
  expect(ipc.servers[0]?.watched.map(({ uri }) => uri)).toEqual(['notes://index']);
  const [one] = ipc.servers[0]?.watched ?? [];
  if (!one) throw new Error('it is watched');
  ipc.patch('notes', { watched: [{ ...one, changes: 1, changed: true }] });
  await settle();
  expect(get('watch-state').textContent).toContain('changed since');
  expect(get('resource-0').querySelector('.mark')).not.toBeNull();
  const read = vi.spyOn(ipc, 'readResource');
  await click('read-changed');
  expect(read).toHaveBeenCalledOnce();
  await click('watch-resource');
  expect(ipc.servers[0]?.watched).toEqual([]);
});

it('draws a picture that came with it, and names one that is elsewhere', async () => {
  await fireEvent.click(get('tab-resources'));
  await settle();
  expect(get('resource-0').querySelector('img')?.src).toMatch(/^data:image/);
  expect(get('resource-1').querySelector('img')).toBeNull();
  await click('resource-1');
  expect(get('icon-remote').textContent).toContain('https://example.org/cover.png');
  expect(document.querySelector('article img')).toBeNull();
});

it('says what a server claims of a resource, and no more', () => {
  const [first, second] = resources.items;
  const labels = claimsOfResource(first?.claims ?? { audience: [], priority: null, lastModified: null }, 1240);
  expect(labels.map(({ key }) => key)).toEqual(['audience-user', 'priority', 'lastModified', 'size']);
  expect(claimsOfResource(second?.claims ?? { audience: [], priority: null, lastModified: null }, null)).toEqual([]);
});

it('an option whose value is an empty text can be chosen', () => {
  const options = [
    { value: '', title: 'None' },
    { value: 'a', title: 'A' },
  ];
  const field = { key: 'k', title: 'K', description: null, default: null, kind: { type: 'choice' as const, options } };
  expect(content([{ ...field, required: true }], { k: '' }).content).toBe('{"k":""}');
  expect(content([{ ...field, required: false }], { k: undefined }).content).toBe('{}');
  expect(content([{ ...field, required: true }], { k: undefined }).problems).toHaveProperty('k');
});
