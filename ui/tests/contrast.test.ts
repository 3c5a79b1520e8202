/** The contrast of every pair of colours in use, reckoned from the tokens as WCAG 2.2 says (1.4.3, 1.4.6, 1.4.11). */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync('src/tokens.css', 'utf8');

type Colours = Record<string, [light: string, dark: string]>;

/** The pairs of colours in a block, found by what it begins with. */
function block(begin: string): Colours {
  const from = css.indexOf(begin);
  expect(from, `${begin} stands in the tokens`).toBeGreaterThanOrEqual(0);
  const inside = css.slice(from + begin.length, css.indexOf('}', from));
  const found = inside.matchAll(/--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g);
  return Object.fromEntries([...found].map(([, name, light, dark]) => [name, [light, dark]])) as Colours;
}

const plain = block('\n:root {');
const asked = block('@media (prefers-contrast: more) {\n  :root {');
const chosen = block(":root[data-theme='contrast'] {");

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const GROUNDS = ['ground', 'wall', 'surface', 'sunken', 'hover', 'accent-soft', 'brass-soft', 'brick-soft'];
const TEXTS = ['ink', 'ink-2', 'ink-3', 'accent', 'brass', 'brick'];
/** What a control is known by: its border, and the ring of the focus. */
const EDGES = ['line-strong', 'accent'];
const pairs = (fronts: string[], backs: string[]) => fronts.flatMap((front) => backs.map((back) => [front, back]));

const sets: [string, Colours, 0 | 1, number, number][] = [
  ['light', plain, 0, 4.5, 3],
  ['dark', plain, 1, 4.5, 3],
  ['high contrast, light', asked, 0, 7, 4.5],
  ['high contrast, dark', asked, 1, 7, 4.5],
];

describe.each(sets)('%s', (_, colours, side, text, edge) => {
  const ratio = (front: string, back: string) =>
    contrast(colours[front]?.[side] ?? '#808080', colours[back]?.[side] ?? '#808080');

  it('text is read on every ground', () => {
    const all = [...pairs(TEXTS, GROUNDS), ['on-accent', 'accent'], ['on-accent', 'accent-strong']] as [
      string,
      string,
    ][];
    expect(all.filter(([front, back]) => ratio(front, back) < text)).toEqual([]);
  });

  it('controls and the focus are seen on every ground', () => {
    const all = pairs(EDGES, GROUNDS) as [string, string][];
    expect(all.filter(([front, back]) => ratio(front, back) < edge)).toEqual([]);
  });
});

it('knows every colour in all sets', () => {
  expect(Object.keys(plain).length).toBeGreaterThan(18);
  expect(Object.keys(asked)).toEqual(Object.keys(plain));
});

it('high contrast is the same whoever asks for it', () => {
  expect(chosen).toEqual(asked);
});

it('no colour is written outside of the tokens', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(css|svelte|ts)$/.test(file) && !file.endsWith('tokens.css'),
  );
  const coloured = files.filter((file) =>
    /: [^;]*(#[0-9a-f]{6}|rgba?\(\d)/i.test(readFileSync(`src/${file}`, 'utf8').replaceAll('\n', ' ;')),
  );
  expect(coloured).toEqual([]);
});
