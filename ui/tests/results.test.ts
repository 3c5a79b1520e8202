import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Acts } from '../src/features/results/acts';
import ResultBody from '../src/features/results/ResultBody.svelte';
import { MemoryKept } from '../src/ipc/memory-kept';
import { judge } from '../src/ipc/memory-links';
import { gallery, MARKDOWN, PICTURE, SOUND, toolResult } from '../src/ipc/memory-results';
import type { BlockView, ResultView } from '../src/ipc/types';

const find = (id: string) => document.querySelector<HTMLElement>(`[data-testid="${id}"]`);
const get = (id: string): HTMLElement => {
  const found = find(id);
  if (!found) throw new Error(`there is no ${id} on the page`);
  return found;
};
const all = (id: string) => [...document.querySelectorAll<HTMLElement>(`[data-testid="${id}"]`)];
async function settle() {
  for (let turn = 0; turn < 6; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 3));
    await tick();
    flushSync();
  }
}
const press = async (words: string) => {
  const button = [...document.querySelectorAll('button')].find((one) => one.textContent?.trim() === words);
  if (!button) throw new Error(`there is no button ${words}`);
  await fireEvent.click(button);
  await settle();
};

let acts: Acts;
let kept: MemoryKept;
const read = vi.fn<Acts['read']>();
beforeEach(() => {
  read.mockReset();
  kept = new MemoryKept();
  // How wide a text is shown decides where its rows end; a page without a window has no widths.
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
  let made = 0;
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => `blob:${++made}`, revokeObjectURL: vi.fn() }));
  acts = {
    open: vi.fn(async () => undefined),
    judge: async (url) => ({ ...(await judge(url)) }),
    read,
    kept,
  };
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
const show = (result: ResultView) => render(ResultBody, { result: kept.describe(result), acts });
const saved = () => kept.saved[kept.saved.length - 1];
const showBlock = (block: BlockView) => show(toolResult([block]));
const showText = (text: string) => showBlock({ type: 'text', text });

describe('text', () => {
  it('is plain unless Markdown is asked for, and makes no element of HTML in it', async () => {
    showText(MARKDOWN);
    expect(get('result-text').textContent).toBe(MARKDOWN);
    await press('Markdown');
    await vi.waitFor(() => expect(get('result-markdown').querySelector('.heading')?.textContent).toBe('Loom'));
    const shown = get('result-markdown');
    expect(shown.querySelector('img, script, a, iframe')).toBeNull();
    expect(shown.textContent).toContain('<img src=x onerror=alert(1)>');
    expect(shown.querySelectorAll('td')).toHaveLength(4);
    expect(get('markdown-image').textContent).toContain('a loom https://tracker.example/p.png');
  });

  it('has its invisible characters written out on demand', async () => {
    showText('pay\u200bpal');
    expect(get('result-text').textContent).toBe('pay\u200bpal');
    await press('Invisible characters');
    expect(get('result-text').textContent).toBe('pay⟨U+200B⟩pal');
  });

  it('of any length is there at once, and its rows are pulled as they are seen', async () => {
    const text = Array.from({ length: 40_000 }, (_, line) => `line ${line}: warp and weft`).join('\n');
    const pulls = vi.spyOn(kept, 'resultRows');
    showText(text);
    expect(get('result-text').textContent).toContain('line 0:');
    expect(get('result-text').textContent?.length).toBeLessThanOrEqual(64 * 1024);
    await vi.waitFor(() => expect(document.body.textContent).toContain('40,000 rows'));
    expect(pulls.mock.calls.every(([, , , first, last]) => last - first <= 200)).toBe(true);
    expect(document.querySelectorAll('pre').length).toBeLessThan(80);
    await fireEvent.click(get('save'));
    expect(saved()).toEqual({ name: 'text.txt', content: text });
  });

  it('that is long is searched by the host', async () => {
    const rows = Array.from({ length: 9000 }, (_, line) => (line % 4000 === 3999 ? 'the shuttle' : 'warp and weft'));
    showText(rows.join('\n'));
    await vi.waitFor(() => expect(document.body.textContent).toContain('9,000 rows'));
    const find = async (words: string) => {
      await fireEvent.input(get('text-find'), { target: { value: words } });
      await press('Find next');
    };
    await find('shuttle');
    expect(get('text-found').textContent).toBe('Row 4,000');
    await press('Find next');
    expect(get('text-found').textContent).toBe('Row 8,000');
    await find('loom');
    expect(get('text-found').textContent).toBe('Not found');
  });

  it('that holds what commands says that copies are as shown', () => {
    showText('␛[31mred');
    expect(get('text-hides').textContent).toContain('also in what is copied');
    cleanup();
    showText('plain');
    expect(find('text-hides')).toBeNull();
  });
});

describe('links', () => {
  const gate = async (uri: string) => {
    showBlock({ type: 'link', uri, label: uri, name: 'n', mimeType: null });
    await fireEvent.click(get('result-link'));
    await settle();
  };
  it('are shown with their host before anything is opened', async () => {
    await gate('https://good.com@evil.example/a?b');
    expect(get('link-host').textContent?.trim()).toBe('evil.example');
    expect(document.querySelector('mark')?.textContent).toBe('evil.example');
    expect(all('link-warning')).toHaveLength(1);
    expect(acts.open).not.toHaveBeenCalled();
    await fireEvent.click(get('link-open'));
    expect(acts.open).toHaveBeenCalledWith('https://good.com@evil.example/a?b');
    await settle();
    expect(find('link-gate')).toBeNull();
  });
  it.each(['smb://h/s', 'ms-msdt:x', 'FILE:///etc/passwd', 'https:evil', '\thttps://x', 'javascript:alert(1)', 'x'])(
    '%j is not opened, only copied',
    async (uri) => {
      await gate(uri);
      expect(find('link-open')).toBeNull();
      expect(get('link-refusal').textContent).not.toBe('');
      expect(find('link-copy')).not.toBeNull();
    },
  );
  it('that had to be written out are not opened, since they are not what was sent', async () => {
    await gate('https://x.example/⟨U+202E⟩a');
    expect(find('link-open')).toBeNull();
  });
  it('to resources are read on a click, and the answer stands there', async () => {
    const content: BlockView[] = [
      { type: 'resource', uri: 'notes://a', mimeType: 'text/plain', text: 'the note', bytes: null, data: null },
    ];
    read.mockResolvedValue({
      end: 'completed',
      call: 1,
      rounds: 1,
      tookMs: 1,
      result: { kind: 'resource', content, raw: '{}' },
    });
    showBlock({ type: 'link', uri: 'notes://a%20b', label: 'notes://a%20b', name: 'n', mimeType: null });
    expect(read).not.toHaveBeenCalled();
    await fireEvent.click(get('read-resource'));
    await settle();
    expect(read).toHaveBeenCalledWith('notes://a%20b');
    expect(get('resource-answer').textContent).toContain('the note');
  });
  it('to resources that fail say why', async () => {
    read.mockRejectedValue({ code: 'serverError', message: 'no such note' });
    showBlock({ type: 'link', uri: 'notes://a', label: 'notes://a', name: 'n', mimeType: null });
    await fireEvent.click(get('read-resource'));
    await settle();
    expect(document.querySelector('[role=alert]')?.textContent).toBe('no such note');
  });
});

describe('pictures and sound', () => {
  const image = (data: string, mimeType: string) => showBlock({ type: 'image', data, mimeType });
  it('are drawn from data, by what the bytes are, and enlarged on a click', async () => {
    image(PICTURE, 'image/image/png');
    await settle();
    const drawn = get('result-image').querySelector('img');
    expect(drawn?.getAttribute('src')).toMatch(/^blob:/);
    expect(drawn?.alt).toBe('Picture from the server, 160 × 100');
    await fireEvent.click(get('result-image').querySelector('.small') as HTMLElement);
    await settle();
    expect(find('picture-large')).not.toBeNull();
  });
  it('are no elements where the data is none that is drawn', async () => {
    image(btoa('<svg onload="alert(1)"/>'), 'image/svg+xml');
    image('%%%', 'image/png');
    image('', 'image/png');
    await settle();
    expect(all('save')).toHaveLength(1);
    expect(document.querySelector('img')).toBeNull();
    expect(all('result-image').map((one) => one.textContent)).toEqual([
      expect.stringContaining('Drawings in SVG are shown as text.'),
      expect.stringContaining('not valid base64'),
      expect.stringContaining('no data'),
    ]);
  });
  it('are saved with the bytes that came', async () => {
    image(PICTURE, 'image/png');
    await settle();
    await fireEvent.click(get('save'));
    expect(saved()).toEqual({ name: 'picture.png', content: PICTURE });
  });
  it('that are too large are not even pulled', async () => {
    const pull = vi.spyOn(kept, 'resultBytes');
    image('A'.repeat(24 * 1024 * 1024), 'image/png');
    await settle();
    expect(get('result-image').textContent).toContain('too large to be shown here (18.0 MB)');
    expect(pull).not.toHaveBeenCalled();
    expect(find('save')).not.toBeNull();
  });
  it('have a player, or a card where the sound is not known', async () => {
    showBlock({ type: 'audio', data: SOUND, mimeType: 'audio/x-wav' });
    await settle();
    expect(document.querySelector('audio')?.getAttribute('src')).toMatch(/^blob:/);
    cleanup();
    expect(URL.revokeObjectURL).toHaveBeenCalledOnce();
    showBlock({ type: 'audio', data: btoa('nothing known'), mimeType: 'audio/x-loom' });
    await settle();
    expect(document.querySelector('audio')).toBeNull();
    expect(get('result-audio').textContent).toContain('audio/x-loom');
  });
});

describe('a result', () => {
  it('of structured content alone shows it, and says nothing of emptiness', async () => {
    show(toolResult([], { structured: '{"a":9007199254740993}' }));
    await settle();
    expect(find('result-empty')).toBeNull();
    expect(get('result-tree').textContent).toContain('9007199254740993');
  });
  it('of nothing says so', () => {
    show(toolResult([]));
    expect(get('result-empty').textContent).toContain('No content was returned');
    expect(find('result-structured')).toBeNull();
  });
  it('that does not fit its schema stands there beside what does not fit', async () => {
    show(gallery()['show_table'] as ResultView);
    await settle();
    expect(get('result-mismatch').textContent).toContain('/parts/3/weight');
    expect(find('result-table')).not.toBeNull();
    expect(find('result-text')).not.toBeNull();
  });
  it('with a schema that can not be used says it as a hint', () => {
    show(gallery()['show_tree'] as ResultView);
    expect(find('result-mismatch')).toBeNull();
    expect(get('result-mismatch-hint').textContent).toContain('$ref leads out');
  });
  it('that is an error of the tool shows its words and not a check', () => {
    const mismatch = { faults: [{ path: '', message: 'm' }], unusable: null };
    show(toolResult([{ type: 'text', text: 'locked' }], { isError: true, structured: '{"code":23}', mismatch }));
    expect(get('result-error').textContent).toContain('locked');
    expect(find('result-mismatch')).toBeNull();
    expect(find('result-structured')).not.toBeNull();
  });
  it('of a prompt is a conversation', () => {
    const say = (role: string, text: string) => ({ role, content: { type: 'text' as const, text } });
    show({ kind: 'prompt', description: 'd', messages: [say('user', 'hello'), say('assistant', 'hi')], raw: '{}' });
    expect([...get('result-messages').querySelectorAll('h4')].map((one) => one.textContent)).toEqual([
      'User',
      'Assistant',
    ]);
  });
  it('has blocks that nobody knows as they are', () => {
    showBlock({ type: 'unknown', reason: 'a video', text: '{"type":"video"}' });
    expect(get('result-unknown').textContent).toContain('{"type":"video"}');
  });
  it('is saved and copied whole', async () => {
    const copied = vi.fn();
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: async (text: string) => void copied(text) } });
    show(toolResult([], { raw: '{"content":[],"n":9007199254740993}' }));
    await press('Raw');
    expect(get('result-raw-text').textContent).toContain('9007199254740993');
    await fireEvent.click(get('copy-raw'));
    expect(copied).toHaveBeenCalledWith('{"content":[],"n":9007199254740993}');
    await fireEvent.click(get('save-raw'));
    expect(saved()).toEqual({ name: 'result.json', content: '{"content":[],"n":9007199254740993}' });
  });
  it('of many blocks shows a hundred at a time', async () => {
    show(toolResult(Array.from({ length: 110 }, (_, nth) => ({ type: 'text', text: `block ${nth}` }))));
    expect(all('result-text')).toHaveLength(100);
    await fireEvent.click(get('more-blocks'));
    await settle();
    expect(all('result-text')[109]?.textContent).toBe('block 109');
    expect(find('more-blocks')).toBeNull();
  }, 20_000);
});

describe('structured content', () => {
  it('is a table that is sorted by a column and drawn in part', async () => {
    show(gallery()['show_many'] as ResultView);
    await vi.waitFor(() => expect(find('copy-csv')).not.toBeNull(), 8000);
    expect(get('result-table').getAttribute('aria-rowcount')).toBe('100001');
    expect(document.querySelectorAll('[role=row]').length).toBeLessThan(60);
    const id = () => document.querySelectorAll('[role=row]')[1]?.children[1]?.textContent?.trim();
    await fireEvent.click(get('sort-0'));
    await vi.waitFor(() => expect(get('result-table').getAttribute('aria-busy')).toBe('false'), 8000);
    expect(id()).toBe('9007199254740993');
    await fireEvent.click(get('sort-0'));
    await vi.waitFor(() => expect(id()).toBe('9007199254840992'), 8000);
    expect(document.querySelectorAll('[aria-sort=descending]')).toHaveLength(1);
  }, 20_000);
  it('falls back to the tree where an item is no object after all', async () => {
    show(toolResult([], { structured: '[{"a":1},{"a":2},{"a":3},7]' }));
    await settle();
    expect(find('result-table')).toBeNull();
    expect(find('result-tree')).not.toBeNull();
  });
  it('is a tree that the keyboard walks', async () => {
    show(toolResult([], { structured: '{"a":{"b":[1,2]},"c":"x"}' }));
    await settle();
    const tree = get('result-tree');
    const at = () => document.getElementById(tree.getAttribute('aria-activedescendant') ?? '')?.textContent;
    await fireEvent.keyDown(tree, { key: 'ArrowDown' });
    expect(at()).toContain('a:');
    await fireEvent.keyDown(tree, { key: 'ArrowLeft' });
    await settle();
    await fireEvent.keyDown(tree, { key: 'ArrowDown' });
    expect(at()).toContain('c:');
    await fireEvent.keyDown(tree, { key: 'Home' });
    await fireEvent.keyDown(tree, { key: 'ArrowLeft' });
    expect(tree.querySelectorAll('[role=treeitem]')).toHaveLength(1);
  });
});
