import { describe, expect, it } from 'vitest';
import { fileName, readPicture, readSound } from '../src/features/results/media';
import { readMarkdown } from '../src/features/results/markdown';
import { Export, Sorting, Table, tablePlace } from '../src/features/results/table';
import { Tree } from '../src/features/results/tree';
import { PICTURE, rows } from '../src/ipc/memory-results';
import { aroundHost, refusalOf } from '../src/kit/link';
import { brief, Children, whole } from '../src/kit/slices';
import { TextRows } from '../src/kit/textrows';

function table(text: string): Table {
  const found = new Table(text, (tablePlace(text) ?? { place: whole(text) }).place);
  found.grow(Infinity);
  return found;
}
function exported(text: string, form: 'csv' | 'json', sort?: [number, boolean]): string {
  const from = table(text);
  const sorting = sort && new Sorting(from, ...sort);
  sorting?.step(Infinity);
  const made = new Export(from, sorting?.order ?? null, form);
  made.step(Infinity);
  return made.text();
}

describe('JSON in slices', () => {
  const parts = (text: string) => {
    const found = new Children(text, whole(text)).read();
    return found.starts.map((start, index) => text.slice(start, found.ends[index]));
  };
  it('finds members and items with whatever stands in strings', () => {
    expect(parts(' [ 1 , "a]\\"," , {"x":[2]} , null ] ')).toEqual(['1', '"a]\\","', '{"x":[2]}', 'null']);
    expect(parts('{"a" : "\\\\", "b":{} }')).toEqual(['"\\\\"', '{}']);
    expect(parts('[]')).toEqual([]);
  });
  it.each(['[', '[1', '{"a"}', '{"a":}', '[1 2]', '"a', '', '{1:2}', ']'])('ends on %j', (text) => {
    expect(() => new Children(text, whole(text)).read()).toThrow(SyntaxError);
  });
  it('walks five thousand levels without a stack of them', () => {
    const text = '['.repeat(5000) + ']'.repeat(5000);
    const tree = new Tree(text);
    for (let at = 0; at < 4999; at++) if (!tree.lines[at]?.open) tree.toggle(at);
    expect(tree.lines).toHaveLength(5000);
    tree.toggle(0);
    expect(tree.lines).toHaveLength(1);
  });
  it('writes out what hides behind an escape', () => {
    const text = '"a\\u202eb\\u001b\\n"';
    expect(brief(text, whole(text), 100)).toBe('a⟨U+202E⟩b␛⏎');
  });
  it('cuts long strings between characters', () => {
    const text = JSON.stringify('é"\\'.repeat(10_000));
    expect(brief(text, whole(text), 6)).toBe('é"\\é"\\…');
  });
  it('opens many children in portions', () => {
    const tree = new Tree(`[${'0,'.repeat(12_000)}0]`);
    expect(tree.lines).toHaveLength(5002);
    tree.toggle(5001);
    expect(tree.lines).toHaveLength(10_002);
    tree.toggle(10_001);
    expect(tree.lines).toHaveLength(12_002);
    expect(tree.path(tree.lines[12_001] as never)).toBe('$[12000]');
  });
});

describe('a table', () => {
  it('stands in an array of objects, or in an object with one such array', () => {
    const check = (text: string, key: string | null | undefined) => expect(tablePlace(text)?.key).toBe(key);
    check('[{"a":1}]', null);
    check('{"n":1,"rows":[{"a":1}]}', 'rows');
    check('{"x":[{"a":1}],"y":[{"a":1}]}', undefined);
    check('[1,2]', undefined);
    check('[]', undefined);
    check('{"a":1}', undefined);
    check('not JSON', undefined);
  });
  it('has every column of every row', () => {
    expect(table('[{"a":1},{"b":2},{"c":3,"a":1}]').columns).toEqual(['a', 'b', 'c']);
  });
  it('sorts numbers by value, beyond 2^53 too, and what is missing last', () => {
    const text = '[{"n":9007199254740993},{"n":9007199254740992},{},{"n":10},{"n":"x"},{"n":9},{"n":null}]';
    const values = (down: boolean) =>
      (JSON.parse(exported(text, 'json', [0, down]).replace(/\d{16}/g, '"$&"')) as { n?: unknown }[]).map(({ n }) => n);
    expect(values(false)).toEqual([9, 10, '9007199254740992', '9007199254740993', 'x', undefined, null]);
    expect(values(true)).toEqual(['x', '9007199254740993', '9007199254740992', 10, 9, undefined, null]);
  });
  it('leaves as CSV with its digits, quotes where needed, and no formula', () => {
    expect(exported('[{"a,b":9007199254740993,"t":"x\\"y"},{"a,b":-1.10,"t":"=1+1"},{"t":null}]', 'csv')).toBe(
      '"a,b",t\r\n9007199254740993,"x""y"\r\n-1.10,\'=1+1\r\n,\r\n',
    );
  });
  it('of 100,000 rows is read, sorted and exported in good time, in short turns', () => {
    const text = rows(100_000);
    const place = tablePlace(text);
    if (!place) throw new Error('it is no table');
    const many = new Table(text, place.place);
    let longest = 0;
    const turns = (step: (until: number) => boolean) => {
      for (let done = false; !done;) {
        const start = performance.now();
        done = step(start + 12);
        longest = Math.max(longest, performance.now() - start);
      }
    };
    const start = performance.now();
    turns((until) => many.grow(until));
    expect(many.count).toBe(100_000);
    const sorting = new Sorting(many, 0, false);
    turns((until) => sorting.step(until));
    const made = new Export(many, sorting.order, 'csv');
    turns((until) => made.step(until));
    expect(made.text().split('\r\n')).toHaveLength(100_002);
    expect(performance.now() - start).toBeLessThan(6000);
    expect(longest).toBeLessThan(1000);
  }, 20_000);
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
  const png = (width: number, height: number) => {
    const bytes = [...atob(PICTURE)].map((sign) => sign.charCodeAt(0));
    const four = (value: number) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
    bytes.splice(16, 8, ...four(width), ...four(height));
    return btoa(String.fromCharCode(...bytes.slice(0, 60)));
  };
  it('of a picture tell its size before anything is decoded', () => {
    expect(readPicture(PICTURE)).toEqual({ drawn: true, type: 'image/png', width: 160, height: 100 });
    expect(readPicture(btoa('GIF89a\u0005\u0000\u0007\u0000'))).toMatchObject({
      type: 'image/gif',
      width: 5,
      height: 7,
    });
    const jpeg = '\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08\x00\x07\x00\x05\x03';
    expect(readPicture(btoa(jpeg))).toMatchObject({ type: 'image/jpeg', width: 5, height: 7 });
    const webp = 'RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x04\0\0\x06\0\0';
    expect(readPicture(btoa(webp))).toMatchObject({ type: 'image/webp', width: 5, height: 7 });
  });
  it('of a bomb are not drawn', () => {
    expect(readPicture(png(8000, 8000))).toMatchObject({
      drawn: false,
      reason: expect.stringContaining('8000 × 8000'),
    });
    expect(readPicture(png(0, 10))).toMatchObject({ drawn: false });
  });
  it('of a sound tell its kind', () => {
    expect(readSound(btoa('ID3\u0004\0\0\0\0\0\0'))).toEqual({ played: true, type: 'audio/mpeg' });
    expect(readSound(btoa('OggS\0\0\0\0'))).toEqual({ played: true, type: 'audio/ogg' });
    expect(readSound('!')).toMatchObject({ played: false });
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
