import { describe, expect, it } from 'vitest';
import { content, initial } from '../src/features/questions/form';
import { compare } from '../src/features/questions/diff';
import type { FieldKind, FieldView } from '../src/ipc/types';

const text: FieldKind = { type: 'text', format: null, minLength: null, maxLength: null };
const whole: FieldKind = { type: 'number', integer: true, minimum: null, maximum: null };
const real: FieldKind = { type: 'number', integer: false, minimum: null, maximum: null };
const options = [
  { value: 'a', title: 'A' },
  { value: 'b', title: 'B' },
];
const several: FieldKind = { type: 'multiChoice', options, minItems: null, maxItems: null };

const field = (kind: FieldKind, more: Partial<FieldView> = {}): FieldView => ({
  key: 'k',
  title: 'K',
  description: null,
  required: false,
  default: null,
  kind,
  ...more,
});
const check = (one: FieldView, value: Parameters<typeof content>[1][string], expected: string | null) =>
  expect(content([one], { k: value }).content).toBe(expected);
const untouched = (one: FieldView, expected: string | null) =>
  expect(content([one], initial([one])).content).toBe(expected);

describe('the content of a form', () => {
  it('leaves out what is optional and empty, whatever its kind', () => {
    for (const kind of [
      text,
      whole,
      real,
      several,
      { type: 'boolean' } as const,
      { type: 'choice', options } as const,
    ]) {
      untouched(field(kind), '{}');
    }
  });
  it('takes text as it was typed', () => check(field(text), ' two  words ', '{"k":" two  words "}'));
  it('keeps the digits of numbers', () => {
    check(field(whole), '9007199254740993', '{"k":9007199254740993}');
    check(field(real), '.5', '{"k":0.5}');
  });
  it('refuses what is no number', () => check(field(whole), '1.5', null));
  it('sends a yes and a no', () => {
    check(field({ type: 'boolean' }), false, '{"k":false}');
    check(field({ type: 'boolean' }), true, '{"k":true}');
  });
  it('takes a required box that stays empty as no', () =>
    untouched(field({ type: 'boolean' }, { required: true }), '{"k":false}'));
  it('sends values, not titles', () => check(field({ type: 'choice', options }), 'b', '{"k":"b"}'));
  it('sends several', () => check(field(several), ['b', 'a'], '{"k":["b","a"]}'));
  it('wants what is required', () => {
    for (const kind of [text, whole, { type: 'choice', options } as const])
      untouched(field(kind, { required: true }), null);
    untouched(field(several, { required: true }), '{"k":[]}');
    untouched(field({ ...several, minItems: 1 }, { required: true }), null);
  });
  it('begins with the defaults, digits and all', () => {
    untouched(field(text, { default: '"x"' }), '{"k":"x"}');
    untouched(field(whole, { default: '9007199254740993' }), '{"k":9007199254740993}');
    untouched(field({ type: 'boolean' }, { default: 'true' }), '{"k":true}');
    untouched(field(several, { default: '["a"]' }), '{"k":["a"]}');
  });
  it('takes a default of another kind as none', () => untouched(field(whole, { default: '"x"' }), '{}'));
});

it('marks what changed between two lists of lines', () => {
  const lines = compare(['-y', 'server@1', '--ro'], ['-y', 'server@2', '--ro', '--all']);
  expect(lines.map(({ mark, text }) => `${mark} ${text}`)).toEqual([
    'same -y',
    'removed server@1',
    'added server@2',
    'same --ro',
    'added --all',
  ]);
});
