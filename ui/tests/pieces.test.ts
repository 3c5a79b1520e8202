import { describe, expect, it } from 'vitest';
import { fileName, readPicture, readSound } from '../src/features/results/media';
import { readMarkdown } from '../src/features/results/markdown';
import { Tree } from '../src/features/results/tree.svelte';
import { MemoryKept } from '../src/ipc/memory-kept';
import { PICTURE, toolResult } from '../src/ipc/memory-results';
import { aroundHost, refusalOf } from '../src/kit/link';
import { Pages } from '../src/kit/pages.svelte';
import { TextRows } from '../src/kit/textrows';

describe('a tree', () => {
  const treeOf = async (structured: string) => {
    const kept = new MemoryKept();
    kept.describe(toolResult([], { structured }));
    const tree = new Tree((at, from) => kept.resultNodes(0, at, from));
    await tree.begin();
    return tree;
  };
  const last = (tree: Tree) => tree.lines[tree.lines.length - 1] as never;
  it('is pulled level by level, as deep as it is opened', async () => {
    const tree = await treeOf('['.repeat(120) + ']'.repeat(120));
    for (let at = 0; at < 119; at++) if (!tree.lines[at]?.open) await tree.toggle(at);
    expect(tree.lines).toHaveLength(120);
    expect(tree.path(last(tree))).toBe(`$${'[0]'.repeat(119)}`);
    await tree.toggle(0);
    expect(tree.lines).toHaveLength(1);
  });
  it('opens many children in portions', async () => {
    const tree = await treeOf(`[${'0,'.repeat(2400)}0]`);
    expect(tree.lines).toHaveLength(1002);
    await tree.toggle(1001);
    expect(tree.lines).toHaveLength(2002);
    await tree.toggle(2001);
    expect(tree.lines).toHaveLength(2402);
    expect(tree.path(last(tree))).toBe('$[2400]');
  });
  it('opened twice at once is pulled once, and a pull that fails is said', async () => {
    const tree = await treeOf('{"a":{"b":1},"c":[]}');
    await tree.toggle(0);
    await Promise.all([tree.toggle(0), tree.toggle(0)]);
    expect(tree.lines.map(({ key }) => key)).toEqual([null, 'a', 'c']);
    const gone = new Tree(async (at) => {
      if (at !== null) throw { code: 'notFound', message: 'no copy' };
      return { nodes: [{ at: 0, kind: 'array', key: null, brief: '', cut: false, bytes: 9, count: 3 }], next: null };
    });
    await gone.begin();
    expect(gone.problem).toBe('no copy');
  });
});

describe('pages', () => {
  const wait = () => new Promise((resolve) => setTimeout(resolve));
  it('are pulled when their rows come into sight, once each', async () => {
    const asked: number[] = [];
    const pages = new Pages(async (first, last) => {
      asked.push(first);
      return Array.from({ length: last - first }, (_, index) => first + index);
    });
    pages.see(190, 230);
    pages.see(195, 235);
    expect(pages.row(195)).toBeUndefined();
    await wait();
    expect([pages.row(195), pages.row(230)]).toEqual([195, 230]);
    expect(asked).toEqual([0, 200]);
    for (let at = 0; at < 10_000; at += 200) pages.see(at, at + 1);
    await wait();
    pages.see(0, 1);
    await wait();
    expect(pages.row(0)).toBe(0);
    expect(asked.filter((first) => first === 0)).toHaveLength(2);
  });
  it('that can not be had are asked for again when they are seen again', async () => {
    let fails = true;
    const pages = new Pages(async () => {
      if (fails) throw new Error('no');
      return ['a'];
    });
    pages.see(0, 1);
    await wait();
    expect(pages.problem).not.toBeNull();
    fails = false;
    pages.see(0, 1);
    await wait();
    expect([pages.problem, pages.row(0)]).toEqual([null, 'a']);
  });
});

describe('rows of text', () => {
  const all = (text: string, columns: number) => {
    const rows = new TextRows(text, columns);
    rows.grow(Infinity);
    return rows.rows(0, rows.count);
  };
  it('end at line feeds and where the view ends', () => {
    expect(all('ab\n\ncdefg\n', 3)).toEqual(['ab', '', 'cde', 'fg']);
    expect(all('abc\ndef', 3)).toEqual(['abc', 'def']);
    expect(all('', 3)).toEqual([]);
  });
  it('split no character', () => expect(all('a😀😀', 2)).toEqual(['a', '😀', '😀']));
  it('are found again anywhere', () => {
    const rows = new TextRows(Array.from({ length: 1000 }, (_, line) => `line ${line}`).join('\n'), 80);
    rows.grow(Infinity);
    expect(rows.rows(777, 779)).toEqual(['line 777', 'line 778']);
  });
});

describe('bytes', () => {
  const raw = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
  const png = (width: number, height: number) => {
    const bytes = [...atob(PICTURE)].map((sign) => sign.charCodeAt(0));
    const four = (value: number) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
    bytes.splice(16, 8, ...four(width), ...four(height));
    return Uint8Array.from(bytes.slice(0, 60));
  };
  it('of a picture tell its size before anything is decoded', () => {
    expect(readPicture(raw(atob(PICTURE)))).toEqual({ drawn: true, type: 'image/png', width: 160, height: 100 });
    expect(readPicture(raw('GIF89a\u0005\u0000\u0007\u0000'))).toMatchObject({
      type: 'image/gif',
      width: 5,
      height: 7,
    });
    const jpeg = '\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08\x00\x07\x00\x05\x03';
    expect(readPicture(raw(jpeg))).toMatchObject({ type: 'image/jpeg', width: 5, height: 7 });
    const webp = 'RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x04\0\0\x06\0\0';
    expect(readPicture(raw(webp))).toMatchObject({ type: 'image/webp', width: 5, height: 7 });
  });
  it('of a bomb are not drawn', () => {
    expect(readPicture(png(8000, 8000))).toMatchObject({
      drawn: false,
      reason: expect.stringContaining('8000 × 8000'),
    });
    expect(readPicture(png(0, 10))).toMatchObject({ drawn: false });
  });
  it('of a sound tell its kind', () => {
    expect(readSound(raw('ID3\u0004\0\0\0\0\0\0'))).toEqual({ played: true, type: 'audio/mpeg' });
    expect(readSound(raw('OggS\0\0\0\0'))).toEqual({ played: true, type: 'audio/ogg' });
    expect(readSound(raw('!'))).toMatchObject({ played: false });
  });
  it('are saved under a name that ends well', () => {
    expect(fileName('text', 'text/markdown')).toBe('text.md');
    expect(fileName('text', null, 'notes://a/b/loom.md?x=1')).toBe('loom.md');
    expect(fileName('file', 'application/x-loom', 'notes://..')).toBe('file.bin');
    expect(fileName('file', 'image/png', 'notes://a/../cover')).toBe('cover.png');
  });
});

describe('Markdown', () => {
  it('of any kind is read in good time', () => {
    for (const part of [
      'a*_',
      '[',
      '![',
      '> ',
      '- a\n ',
      '1. ',
      '|a|b|\n|-|-|\n',
      '***a**b*',
      '`a``b',
      '<a ',
      '[a](',
    ]) {
      const start = performance.now();
      readMarkdown(part.repeat(Math.ceil(65_536 / part.length)).slice(0, 65_536));
      expect(performance.now() - start, part).toBeLessThan(6000);
    }
  }, 60_000);
  it('keeps an address as it was written', () => {
    expect(readMarkdown('[a](JAVASCRIPT:alert(1))')).toEqual([
      {
        kind: 'paragraph',
        inside: [{ kind: 'link', href: 'JAVASCRIPT:alert(1)', inside: [{ kind: 'text', text: 'a' }] }],
      },
    ]);
  });
});

describe('an address', () => {
  it('has its host where it is, not where it seems to be', () => {
    expect(aroundHost('https://good.com@evil.example/a@b', 'evil.example')).toEqual([
      'https://good.com@',
      'evil.example',
      '/a@b',
    ]);
    expect(aroundHost('https://a.example:8080/?q#f', 'a.example')).toEqual(['https://', 'a.example:8080', '/?q#f']);
  });
  it('that was written out or cut is refused', () => {
    for (const address of [
      'https://x/␛[m',
      'https://x/⟨U+202E⟩',
      'https://x/a… (12 more characters)',
      'file:///x',
      'x',
    ])
      expect(refusalOf(address)).not.toBeNull();
    expect(refusalOf('HTTPS://x/')).toBeNull();
  });
});
