/** Results of every kind, for the scene `results` and for tests. */
import type { BlockView, ResultView } from './types';

type ToolResult = Extract<ResultView, { kind: 'tool' }>;

export function toolResult(content: BlockView[], more: Partial<ToolResult> = {}): ResultView {
  const structured = more.structured ?? null;
  const raw = JSON.stringify({ content, structuredContent: structured && 'as above', resultType: 'complete' });
  return { kind: 'tool', content, structured: null, isError: false, mismatch: null, raw, ...more };
}

export const MARKDOWN = `# Loom

A *short* note with **weight**, \`code\` and a [link](https://example.org/loom?q=1), a
[script](javascript:alert(1)), a [name that lies](https://good.com@evil.example/) and <img src=x onerror=alert(1)>.

![a loom](https://tracker.example/p.png)

1. warp
2. weft
   - with a nested point

> Punched cards say what is woven.

| part | count |
|---|---|
| shaft | 8 |
| heddle | 1200 |

\`\`\`rust
fn weave() {}
\`\`\`
`;

/** 320 by 200 points in two colours. */
export const PICTURE = picture();
/** A quarter of a second of a tone. */
export const SOUND = sound();

export function rows(many: number): string {
  const names = ['warp', 'weft', 'shuttle', 'heddle', 'reed'];
  const items = Array.from({ length: many }, (_, index) => {
    const note = index % 7 ? '' : ',"note":"with, a comma and a \\"quote\\""';
    return `{"id":${9007199254740993n + BigInt((index * 7919) % many)},"part":"${names[index % 5]}","weight":${((index * 37) % 1000) / 8},"ok":${index % 3 > 0}${note}}`;
  });
  return `[${items.join(',')}]`;
}

export function gallery(): Record<string, ResultView> {
  const text = (words: string): BlockView => ({ type: 'text', text: words });
  const link = (uri: string, name: string): BlockView => ({ type: 'link', uri, label: uri, name, mimeType: null });
  return {
    show_text: toolResult([text(MARKDOWN), text('␛[31mred␛[0m and 👩‍👩‍👧 and pay​pal')]),
    show_long: toolResult([
      text(Array.from({ length: 600_000 }, (_, line) => `line ${line}: ${'weft and warp '.repeat(5)}`).join('\n')),
    ]),
    show_media: toolResult([
      { type: 'image', data: PICTURE, mimeType: 'image/png' },
      { type: 'audio', data: SOUND, mimeType: 'audio/wav' },
      {
        type: 'image',
        data: btoa('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
        mimeType: 'image/svg+xml',
      },
      { type: 'audio', data: btoa('what is this'), mimeType: 'audio/x-loom' },
      { type: 'unknown', reason: 'a block of type "video" is not known', text: '{"type":"video","data":"AAAA"}' },
    ]),
    show_links: toolResult([
      link('notes://index', 'Index of all notes'),
      link('https://xn--80ak6aa92e.com/a?b=c', 'Apple?'),
      link('file:///etc/passwd', 'A local file'),
      {
        type: 'resource',
        uri: 'notes://loom.md',
        mimeType: 'text/markdown',
        text: '# Loom\nA note.',
        bytes: null,
        data: null,
      },
      { type: 'resource', uri: 'notes://loom.pdf', mimeType: 'application/pdf', text: null, bytes: 48_311, data: null },
    ]),
    show_table: toolResult([text('1,000 parts')], {
      structured: `{"parts":${rows(1000)},"total":1000}`,
      mismatch: {
        faults: [
          { path: '/parts/3/weight', message: '13.875 is not an integer' },
          { path: '', message: '"unit" is missing' },
        ],
        unusable: null,
      },
    }),
    show_many: toolResult([], { structured: rows(100_000) }),
    show_tree: toolResult([], {
      structured:
        '{"id":9007199254740993,"price":1.10,"name":"loom","open":true,"none":null,"size":{"w":2,"h":[1,2,3]},"odd key":"pay\\u202elap","tags":[]}',
      mismatch: { faults: [], unusable: 'a $ref leads out of the document' },
    }),
    show_nothing: toolResult([]),
    show_error: toolResult([text('The notes are locked by another program.')], {
      isError: true,
      structured: '{"code":23}',
    }),
  };
}

function base64(bytes: number[]): string {
  return btoa(String.fromCharCode(...bytes));
}

/** A PNG of stored, not compressed, rows: no encoder is needed for it. */
function picture(): string {
  const [width, height] = [160, 100];
  const data: number[] = [];
  for (let y = 0; y < height; y++) {
    data.push(0);
    for (let x = 0; x < width; x++) data.push((x >> 3) % 2 === (y >> 3) % 2 ? 0x1c : 0xd9);
  }
  const stored = [
    0x78,
    1,
    1,
    data.length & 255,
    data.length >> 8,
    ~data.length & 255,
    (~data.length >> 8) & 255,
    ...data,
    ...four(adler(data)),
  ];
  const head = [...four(width), ...four(height), 8, 0, 0, 0, 0];
  const bytes = [
    0x89,
    80,
    78,
    71,
    13,
    10,
    26,
    10,
    ...chunk('IHDR', head),
    ...chunk('IDAT', stored),
    ...chunk('IEND', []),
  ];
  return base64(bytes);
}
function four(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}
function chunk(kind: string, data: number[]): number[] {
  const named = [...[...kind].map((sign) => sign.charCodeAt(0)), ...data];
  return [...four(data.length), ...named, ...four(crc(named))];
}
function adler(data: number[]): number {
  let [a, b] = [1, 0];
  for (const byte of data) [a, b] = [(a + byte) % 65521, (b + ((a + byte) % 65521)) % 65521];
  return ((b << 16) | a) >>> 0;
}
function crc(data: number[]): number {
  let sum = 0xffffffff;
  for (const byte of data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return ~sum >>> 0;
}
function sound(): string {
  const many = 2000;
  const two = (value: number) => [value & 255, (value >> 8) & 255];
  const long = (value: number) => [...two(value), ...two(value >> 16)];
  const word = (text: string) => [...text].map((sign) => sign.charCodeAt(0));
  const tone = Array.from({ length: many }, (_, at) => 128 + Math.round(60 * Math.sin(at / 3)));
  const form = [...word('fmt '), ...long(16), ...two(1), ...two(1), ...long(8000), ...long(8000), ...two(1), ...two(8)];
  return base64([
    ...word('RIFF'),
    ...long(36 + many),
    ...word('WAVE'),
    ...form,
    ...word('data'),
    ...long(many),
    ...tone,
  ]);
}
