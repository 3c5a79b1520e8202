import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import App from '../src/App.svelte';
import { CallDesk } from '../src/features/calls/calls.svelte';
import { recentsOf } from '../src/features/calls/recents.svelte';
import { MemoryIpc } from '../src/ipc/memory';
import { demoServers } from '../src/ipc/memory-data';
import type { ToolView } from '../src/ipc/types';

const find = (id: string) => document.querySelector<HTMLElement>(`[data-testid="${id}"]`);
const get = (id: string): HTMLElement => {
  const found = find(id);
  if (!found) throw new Error(`there is no ${id} on the page`);
  return found;
};
async function settle() {
  for (let turn = 0; turn < 6; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    await tick();
    flushSync();
  }
}
const click = async (id: string) => {
  await fireEvent.click(get(id));
  await settle();
};
const type = async (id: string, value: string) => {
  await fireEvent.input(get(id), { target: { value } });
  await settle();
};

let ipc: MemoryIpc;
let sent: string[];
/** Opens the page at one tool with this schema; calls end at once and are kept in `sent`. */
async function open(schema: object, more: Partial<ToolView> = {}) {
  const inputSchema = JSON.stringify({ type: 'object', ...schema });
  const tool = {
    name: 't',
    label: 't',
    title: null,
    description: null,
    outputSchema: null,
    annotations: null,
    changed: null,
    icon: null,
  };
  vi.spyOn(ipc, 'listTools').mockResolvedValue({
    items: [{ ...tool, inputSchema, ...more }],
    unreadable: [],
    stopped: null,
  });
  vi.spyOn(ipc, 'callTool').mockImplementation(async (_server, _tool, args) => {
    sent.push(args);
    return { end: 'declined', call: 1, message: 'done' };
  });
  render(App, { ipc });
  await settle();
  await click('tool-t');
}
beforeEach(() => {
  ipc = new MemoryIpc();
  ipc.servers = demoServers();
  // happy-dom tells of a selection in the middle of setting it, which no browser does.
  vi.spyOn(Selection.prototype, 'collapse').mockImplementation(() => undefined);
  vi.spyOn(Selection.prototype, 'extend').mockImplementation(() => undefined);
  sent = [];
});
afterEach(cleanup);

describe('the form of a tool', () => {
  it('sends nothing that was not touched, and takes back what was', async () => {
    await open({ properties: { a: { type: 'string' }, n: { type: ['integer', 'null'], default: 10 } } });
    expect((get('arg-n') as HTMLInputElement).value).toBe('10');
    await click('call');
    await click('arg-n-null');
    await click('call');
    await click('arg-n-leave');
    await click('arg-a-empty');
    await click('call');
    expect(sent).toEqual(['{}', '{"n":null}', '{"a":""}']);
  });

  it('never rewrites what is being typed, and judges it on leaving', async () => {
    await open({ properties: { n: { type: 'number' } } });
    for (const typed of ['-', '-7', '-74', '-74.', '-74.0', '-74.01']) {
      await type('arg-n', typed);
      expect((get('arg-n') as HTMLInputElement).value).toBe(typed);
    }
    await type('arg-n', '1,5');
    expect(find('arg-n-problem')).toBeNull();
    await fireEvent.blur(get('arg-n'));
    await settle();
    expect(get('arg-n-problem').textContent).toMatch(/point/);
    expect((get('arg-n') as HTMLInputElement).value).toBe('1,5');
    await type('arg-n', '-74.01');
    await click('call');
    expect(sent).toEqual(['{"n":-74.01}']);
  });

  it('opens a recursive schema one level a click', async () => {
    const Node = { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/Node' } } };
    await open({ properties: { node: { $ref: '#/$defs/Node' } }, $defs: { Node } });
    expect(find('arg-node.name')).toBeNull();
    await click('arg-node-open');
    expect(find('arg-node.next.name')).toBeNull();
    await click('arg-node.next-open');
    await type('arg-node.next.name', 'deep');
    await click('call');
    expect(sent).toEqual(['{"node":{"next":{"name":"deep"}}}']);
  });

  it('adds, moves and takes out items', async () => {
    await open({ properties: { l: { type: 'array', items: { type: 'integer' } } } });
    await click('arg-l-open');
    await type('arg-l.0', '1');
    await click('arg-l-add');
    await type('arg-l.1', '9007199254740993');
    const up = document.querySelectorAll<HTMLElement>('[aria-label="Move item 2 up"]')[0];
    await fireEvent.click(up as HTMLElement);
    await settle();
    await click('call');
    await click('arg-l.1-remove');
    await click('call');
    await click('arg-l.0-remove');
    await click('call');
    expect(sent).toEqual(['{"l":[9007199254740993,1]}', '{"l":[9007199254740993]}', '{"l":[]}']);
  });

  it('lets the shape be chosen, null among them', async () => {
    const oneOf = [{ type: 'string' }, { type: 'object', properties: { x: { type: 'number' } } }, { type: 'null' }];
    await open({ properties: { s: { oneOf } } });
    const choose = async (value: string) => {
      await fireEvent.change(get('arg-s-shape'), { target: { value } });
      await settle();
    };
    await choose('1');
    await type('arg-s.x', '.5');
    await click('call');
    await choose('null');
    await click('call');
    await choose('');
    await click('call');
    expect(sent).toEqual(['{"s":{"x":0.5}}', '{"s":null}', '{}']);
  });

  it('shows a very long description folded (F13)', async () => {
    await open({ properties: { a: { type: 'string', description: 'words '.repeat(20_000) } } });
    expect(document.body.textContent.length).toBeLessThan(5000);
  });

  it('says of the server’s claims that they are claims', async () => {
    await open({}, { annotations: '{"readOnlyHint":true,"destructiveHint":false}' });
    expect(get('tool-claims').textContent).toMatch(/claims/);
    expect(get('claim-readOnlyHint').textContent).toBe('only reads');
  });

  it('says what a tool said before, where it says something else now (H18)', async () => {
    const before = { title: null, outputSchema: null, annotations: null, inputSchema: '{"type":"object"}' };
    await open({ properties: { path: {} } }, { changed: { ...before, description: 'Adds two numbers.' } });
    const note = get('tool-changed').textContent;
    expect(note).toMatch(/changed since you last called it:\s+its description, its arguments\./);
    await click('tool-changed-before');
    expect(get('tool-changed').textContent).toContain('Adds two numbers.');
    await click('call');
    expect(sent).toEqual(['{}']);
  });

  it('says nothing of a tool that is what it was', async () => {
    await open({});
    expect(document.querySelector('[data-testid=tool-changed]')).toBeNull();
  });
});

describe('the JSON editor', () => {
  const editor = () => get('args-json') as HTMLElement & { value: string };
  async function json() {
    await click('args-json-toggle');
    await vi.waitFor(() => get('args-json'), 5000);
    await settle();
  }
  it('keeps what the fields have no place for, there and back', async () => {
    await open({ properties: { a: { type: 'integer' } } });
    await type('arg-a', '9007199254740993');
    await json();
    expect(editor().value).toBe('{\n  "a": 9007199254740993\n}');
    editor().value = '{"a": "seven", "more": [9007199254740993]}';
    await settle();
    await click('args-json-toggle');
    expect((get('arg-a') as HTMLTextAreaElement).value).toBe('"seven"');
    await click('call');
    expect(sent).toEqual(['{"a":"seven","more":[9007199254740993]}']);
  });
  it('stays JSON where the fields can’t show it, and says so', async () => {
    await open({ properties: { a: { type: 'integer' } } });
    await json();
    for (const [text, reason] of [
      ['{"a": 1, "a": 2}', /twice/],
      ['{"a": ', /early/],
      ['[1]', /one JSON object/],
    ] as const) {
      editor().value = text;
      await settle();
      await click('args-json-toggle');
      expect(get('args-json-faults').textContent).toMatch(reason);
      expect(editor().value).toBe(text);
    }
    await click('call');
    expect(sent).toEqual([]);
  });
  it('gives back what was typed and is no JSON yet, where the JSON was not changed', async () => {
    await open({ properties: { a: { type: 'integer' } } });
    await type('arg-a', '12x');
    await json();
    await click('args-json-toggle');
    expect((get('arg-a') as HTMLInputElement).value).toBe('12x');
  });
  it('says the faults of the schema after a pause, and sends anyway', async () => {
    await open({ properties: { title: { type: 'string' } } });
    await json();
    editor().value = '{"title": "bad"}';
    await vi.waitFor(() => expect(get('args-json-faults').textContent).toContain('/title'), 5000);
    expect(document.querySelector('.cm-lintRange-error')?.textContent).toBe('"bad"');
    await settle();
    await click('send-anyway');
    expect(sent).toEqual(['{"title": "bad"}']);
  });
});

describe('before sending', () => {
  it('asks for a shape where the arguments have several', async () => {
    await open({ oneOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { required: ['b'] }] });
    await click('call');
    expect(get('arg-root-problem').textContent).toMatch(/wants/);
    await fireEvent.change(get('arg-root-shape'), { target: { value: '0' } });
    await settle();
    await type('arg-a', 'x');
    await click('call');
    expect(sent).toEqual(['{"a":"x"}']);
  });

  it('marks the field that is missing, moves there, and sends anyway when told to', async () => {
    await open({ properties: { a: { type: 'integer' }, b: { type: 'string' } }, required: ['a', 'b'] });
    await type('arg-b', 'x');
    await click('call');
    expect(get('arg-a').getAttribute('aria-invalid')).toBe('true');
    expect(get('arg-b').getAttribute('aria-invalid')).toBeNull();
    expect(document.activeElement).toBe(get('arg-a'));
    await click('send-anyway');
    expect(sent).toEqual(['{"b":"x"}']);
    await type('arg-a', 'x');
    await click('call');
    expect(find('send-anyway')).toBeNull();
  });

  it('puts what the host finds beside its field', async () => {
    await open({ properties: { title: { type: 'string' }, o: {} } });
    await type('arg-title', 'bad');
    await click('call');
    expect(get('arg-title-problem').textContent).toBe('"bad" is not a title');
    expect(document.activeElement).toBe(get('arg-title'));
    expect(sent).toEqual([]);
    await click('send-anyway');
    expect(sent).toEqual(['{"title":"bad"}']);
    await click('call');
    await type('arg-title', 'good');
    expect(find('arg-title-problem')).toBeNull();
  });

  it('is not stopped by a schema that can’t be used, nor by a check that fails', async () => {
    await open({ properties: { a: { type: 'string', pattern: '[a-z[]' } } });
    vi.spyOn(ipc, 'checkArgs').mockResolvedValue({ faults: [], unusable: 'its pattern is broken' });
    await type('arg-a', 'x');
    await click('call');
    expect(get('schema-unusable').textContent).toContain('its pattern is broken');
    vi.spyOn(ipc, 'checkArgs').mockRejectedValue(new Error('gone'));
    await click('call');
    expect(sent).toEqual(['{"a":"x"}', '{"a":"x"}']);
  });
});

describe('again', () => {
  it('keeps the last ten arguments of a target, newest first, and no one’s but its own', () => {
    const desk = new CallDesk();
    const target = { server: 's', method: 'tools/call', name: 'n', label: 'n' } as const;
    for (let at = 0; at < 12; at++) recentsOf(desk).keep(target, `{"n":${at}}`);
    recentsOf(desk).keep(target, '{"n":5}');
    expect(recentsOf(desk).list(target)).toHaveLength(10);
    expect(recentsOf(desk).list(target)[0]).toBe('{"n":5}');
    expect(recentsOf(desk).list({ ...target, name: 'other' })).toEqual([]);
    expect(recentsOf(new CallDesk()).list(target)).toEqual([]);
  });
  it('runs the same arguments again, and fills them in', async () => {
    await open({ properties: { a: { type: 'string' } } });
    await type('arg-a', 'one');
    await click('call');
    await type('arg-a', 'two');
    await click('run-again');
    await click('recent-args');
    await click('recent-use-0');
    expect((get('arg-a') as HTMLInputElement).value).toBe('one');
    expect(sent).toEqual(['{"a":"one"}', '{"a":"one"}']);
  });
});

describe('a long list', () => {
  it('draws a part, moves by arrows and chooses by Enter', async () => {
    await open({});
    const one = {
      label: '',
      title: null,
      description: null,
      inputSchema: '{}',
      outputSchema: null,
      annotations: null,
      changed: null,
      icon: null,
    };
    const items = Array.from({ length: 10_000 }, (_, at) => ({ ...one, name: `n${at}`, label: `n${at}` }));
    vi.spyOn(ipc, 'listTools').mockResolvedValue({ items, unreadable: [], stopped: null });
    await fireEvent.click(document.querySelector('[aria-label="Load the list again"]') as HTMLElement);
    await settle();
    expect(document.querySelectorAll('[role="option"]').length).toBeLessThan(60);
    await type('search-tools', 'n77');
    await fireEvent.keyDown(get('search-tools'), { key: 'ArrowDown' });
    await settle();
    const list = document.querySelector('[role="listbox"]') as HTMLElement;
    await fireEvent.keyDown(list, { key: 'ArrowDown' });
    await settle();
    expect(document.getElementById(list.getAttribute('aria-activedescendant') ?? '')?.textContent).toContain('n770');
    await fireEvent.keyDown(list, { key: 'Enter' });
    await settle();
    expect(get('tool-n770').getAttribute('aria-selected')).toBe('true');
  });
});
