import { describe, expect, it } from 'vitest';
import { claimsOf } from '../src/features/calls/claims';
import { search, searched } from '../src/features/calls/entries';
import { Document } from '../src/features/calls/refs';
import { buildArgs, fieldsOf, typedFrom } from '../src/features/calls/schema';
import { type Shape, shapeOf } from '../src/features/calls/shape';
import { opensItself } from '../src/features/calls/value';
import { scrollTo, step, windowOf } from '../src/features/calls/virtual';

/** The shape of each property of a schema. */
function shapes(schema: object): Record<string, Shape> {
  const document = new Document(JSON.stringify(schema));
  const root = shapeOf(document, document.root);
  return Object.fromEntries(root.properties.map(({ name, schema }) => [name, shapeOf(document, schema)]));
}
const kinds = (schema: object) =>
  Object.fromEntries(Object.entries(shapes(schema)).map(([name, { kind }]) => [name, kind]));

it('knows every kind', () => {
  const kinds_ = kinds({
    properties: {
      a: { type: 'string' },
      b: { type: 'integer' },
      c: { type: 'number' },
      d: { type: 'boolean' },
      e: { enum: ['x', 1, null] },
      f: { type: 'array' },
      h: { type: ['string', 'null'] },
      i: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      j: { type: 'null' },
      k: { pattern: 'x' },
      l: { required: ['x'] },
      m: { const: 7 },
    },
    required: ['ghost'],
  });
  expect(kinds_).toEqual({
    a: 'text',
    b: 'integer',
    c: 'number',
    d: 'boolean',
    e: 'choice',
    f: 'list',
    h: 'text',
    i: 'integer',
    j: 'null',
    k: 'text',
    l: 'object',
    m: 'choice',
    ghost: 'any',
  });
});

describe('F1: definitions are found from the root, and siblings of a reference count', () => {
  it.each(['$defs', 'definitions'])('in %s', (place) => {
    const { q } = shapes({
      properties: { q: { $ref: `#/${place}/Q`, description: 'mine', default: { id: 1 } } },
      required: ['q'],
      [place]: { Q: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'], description: 'its' } },
    });
    expect(q).toMatchObject({ kind: 'object', description: 'mine' });
    expect(q?.properties).toMatchObject([{ name: 'id', required: true }]);
    expect(q?.fallback).toBeInstanceOf(Map);
  });
  it('builds the required object that is referred to', () => {
    const form = fieldsOf(
      '{"properties":{"q":{"$ref":"#/$defs/Q"}},"required":["q"],"$defs":{"Q":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}}}',
    );
    expect(buildArgs(form, {}).problems).toEqual({ '/q/id': 'The server wants this one.' });
    const typed = typedFrom(form, '{"q":{"id":9007199254740993}}');
    expect(typeof typed === 'string' ? typed : buildArgs(form, typed).args).toBe('{"q":{"id":9007199254740993}}');
  });
  it('joins members of siblings and of allOf', () => {
    const { q } = shapes({
      properties: {
        q: { $ref: '#/$defs/A', properties: { b: { type: 'number' } }, allOf: [{ required: ['a', 'b'] }] },
      },
      $defs: { A: { type: 'object', properties: { a: { type: 'string' } } } },
    });
    expect(q?.properties.map(({ name, required }) => [name, required])).toEqual([
      ['a', true],
      ['b', true],
    ]);
  });
});

describe('F2: a reference is a JSON pointer, and never leaves the document', () => {
  const check = (ref: string, more: object, kind: string) =>
    expect(kinds({ properties: { source: { type: 'string' }, p: { $ref: ref } }, ...more })['p']).toBe(kind);
  it('to another property', () => check('#/properties/source', {}, 'text'));
  it('with ~1 and ~0', () => check('#/$defs/a~1b~0c', { $defs: { 'a/b~c': { type: 'integer' } } }, 'integer'));
  it('with ~01, which is ~1 and no slash', () =>
    check('#/$defs/~01', { $defs: { '~1': { type: 'integer' } } }, 'integer'));
  it('with %25 and other escapes', () =>
    check('#/$defs/100%25%20x', { $defs: { '100% x': { type: 'boolean' } } }, 'boolean'));
  it('into a list', () => check('#/$defs/all/0', { $defs: { all: [{ type: 'boolean' }] } }, 'boolean'));
  it('by its anchor', () => check('#here', { $defs: { x: { $anchor: 'here', type: 'number' } } }, 'number'));
  it('through the name of the document itself', () =>
    check('http://x/s.json#/properties/source', { $id: 'http://x/s.json' }, 'text'));
  it('is any JSON where it leads elsewhere or nowhere, and says so', () => {
    const { far, gone } = shapes({ properties: { far: { $ref: 'https://x/y' }, gone: { $ref: '#/$defs/none' } } });
    expect(far).toMatchObject({ kind: 'any', hint: /never fetched/ });
    expect(gone).toMatchObject({ kind: 'any', hint: /not in it/ });
  });
});

describe('F3: recursive schemas', () => {
  const tree = {
    properties: { node: { $ref: '#/$defs/Node' } },
    required: ['node'],
    $defs: {
      Node: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          left: { $ref: '#/$defs/Node' },
          all: { items: { $ref: '#/$defs/Node' } },
        },
        required: ['left'],
      },
      A: { $ref: '#/$defs/B' },
      B: { $ref: '#/$defs/A' },
      C: { allOf: [{ $ref: '#/$defs/C' }] },
    },
  };
  it('open one level at a time, also where each level is required', () => {
    const { node } = shapes(tree);
    const document = new Document(JSON.stringify(tree));
    const left = shapeOf(document, node?.properties.find(({ name }) => name === 'left')?.schema ?? true);
    expect(opensItself(node as Shape, true, [])).toBe(true);
    expect(opensItself(left, true, node?.refs ?? [])).toBe(false);
    expect(Object.keys(buildArgs(fieldsOf(JSON.stringify(tree)), {}).problems)).toEqual(['/node/left']);
  });
  it('are filled as deep as the JSON goes', () => {
    const args = '{"node":{"name":"a","left":{"left":{"name":"c"}},"all":[{"name":"d"}]}}';
    const form = fieldsOf(JSON.stringify(tree));
    const typed = typedFrom(form, args);
    expect(typeof typed === 'string' ? typed : buildArgs(form, typed).args).toBe(args);
  });
  it('are any JSON where names only refer to each other', () => {
    const found = shapes({ properties: { a: { $ref: '#/$defs/A' }, c: { $ref: '#/$defs/C' } }, $defs: tree.$defs });
    expect(found['a']).toMatchObject({ kind: 'any', hint: /refers to itself/ });
    expect(found['c']?.kind).toBe('any');
  });
  it('end where references double at each step', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => {
        const ref = { $ref: `#/$defs/D${at + 1}` };
        return [`D${at}`, { allOf: [ref, ref] }];
      }),
    );
    const began = performance.now();
    expect(kinds({ properties: { d: { $ref: '#/$defs/D0' } }, $defs })['d']).toBe('any');
    expect(performance.now() - began).toBeLessThan(500);
  });
});

describe('F4 and F6: null, and schemas that are true or false', () => {
  it('offers null as a choice of its own', () => {
    const found = shapes({
      properties: {
        types: { type: ['string', 'null'], default: null },
        any: { anyOf: [{ $ref: '#/$defs/S' }, { type: 'null' }] },
        pick: { enum: ['a', null] },
        never: { type: 'string' },
      },
      $defs: { S: { type: 'string', maxLength: 3 } },
    });
    expect(Object.values(found).map(({ nullable }) => nullable)).toEqual([true, true, true, false]);
    expect(found['types']?.fallback).toBeNull();
    expect(found['any']?.hint).toBe('At most 3 characters.');
    expect(found['pick']?.options.map(({ value }) => value)).toEqual(['"a"']);
  });
  it('takes true and {} as any JSON, and false as a place that the schema forbids', () => {
    const found = shapes({ properties: { t: true, e: {}, f: false } });
    expect(Object.values(found).map(({ kind }) => kind)).toEqual(['any', 'any', 'any']);
    expect(found['f']?.hint).toMatch(/no value/);
  });
  it('gives no fields for a schema that is none, so that the tool can still be called', () => {
    for (const text of ['', '7', 'true', '{}', '{"type":"object","additionalProperties":false}']) {
      const form = fieldsOf(text);
      expect(form.bare, text).toBe(true);
      expect(buildArgs(form, {}).args).toBe('{}');
    }
    expect(fieldsOf('{').unreadable).toMatch(/early/);
  });
});

it('F8: a default keeps its digits', () => {
  const form = fieldsOf('{"properties":{"n":{"type":"integer","default":9007199254740993}},"required":["n"]}');
  expect(buildArgs(form, {}).args).toBe('{"n":9007199254740993}');
});

describe('F9: the five shapes of a choice', () => {
  const titles = [
    { title: 'One', value: '"a"' },
    { title: 'Two', value: '"b"' },
  ];
  const branches = [
    { const: 'a', title: 'One' },
    { const: 'b', title: 'Two' },
  ];
  const found = shapes({
    properties: {
      plain: { type: 'string', enum: ['a', 'b'], default: 'b' },
      titled: { type: 'string', oneOf: branches },
      any: { anyOf: branches },
      legacy: { type: 'string', enum: ['a', 'b'], enumNames: ['One', 'Two'] },
      many: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, default: ['a'] },
      manyTitled: { type: 'array', items: { anyOf: branches }, minItems: 1 },
    },
  });
  it('shows titles and sends values', () => {
    expect(found['plain']).toMatchObject({ kind: 'choice', fallback: 'b', options: [{ title: 'a' }, { title: 'b' }] });
    for (const name of ['titled', 'any', 'legacy'])
      expect(found[name], name).toMatchObject({ kind: 'choice', options: titles });
    expect(found['manyTitled']).toMatchObject({ kind: 'many', options: titles });
    expect(found['many']).toMatchObject({ kind: 'many', fallback: ['a'], hint: 'At least 1 item.' });
  });
  it('does not count limits where the field is not set', () => {
    const form = fieldsOf('{"properties":{"m":{"type":"array","items":{"enum":["a"]},"minItems":1}}}');
    expect(buildArgs(form, {})).toMatchObject({ args: '{}', problems: {} });
  });
});

it('F11: a pattern is shown and never run', () => {
  const patterns = ['^https\\:\\/\\/', '[a-z[]', '(a+)+$'];
  for (const pattern of patterns) {
    const args = JSON.stringify({ p: `${'a'.repeat(40)}!`, [`${'a'.repeat(40)}!`]: 1 });
    const form = fieldsOf(
      JSON.stringify({ properties: { p: { type: 'string', pattern } }, patternProperties: { [pattern]: {} } }),
    );
    const began = performance.now();
    const typed = typedFrom(form, args);
    expect(typeof typed === 'string' ? typed : buildArgs(form, typed).args).toBe(args);
    expect(performance.now() - began).toBeLessThan(200);
  }
  expect(shapes({ properties: { p: { type: 'string', pattern: '[a-z[]' } } })['p']?.hint).toBe('Pattern: [a-z[].');
});

it('F13: words of a schema are harmless, and limits are words', () => {
  const found = shapes({
    properties: {
      a: { type: 'string', title: 'A\u202eB', description: 'x\u0007', minLength: 2, maxLength: 80 },
      b: { type: 'integer', minimum: 1, maximum: 80 },
      c: { type: 'string', format: 'date' },
    },
  });
  expect(found['a']).toMatchObject({ title: 'A⟨U+202E⟩B', description: 'x␇', hint: '2 to 80 characters.' });
  expect(found['b']?.hint).toBe('At least 1, at most 80.');
  expect(found['c']?.hint).toMatch(/^A date/);
});

describe('claims of a tool', () => {
  it('says each in words, and nothing that was not said', () => {
    expect(
      claimsOf('{"readOnlyHint":true,"openWorldHint":false,"idempotentHint":"yes"}').map(({ label }) => label),
    ).toEqual(['only reads', 'stays inside']);
    expect(claimsOf(null)).toEqual([]);
    expect(claimsOf('nonsense')).toEqual([]);
  });
});

describe('a list of 10,000', () => {
  const entries = Array.from({ length: 10_000 }, (_, at) => ({
    id: `t${at}`,
    label: `tool_${at}`,
    title: at % 2 ? `Title ${at}` : null,
    testid: `tool-t${at}`,
    item: { description: at === 77 ? 'Finds the Needle in hay' : null },
  }));
  it('is searched by name, title and description, names first', () => {
    const texts = searched(entries);
    const ids = (typed: string) => search(entries, texts, typed).map(({ id }) => id);
    expect(ids('needle HAY')).toEqual(['t77']);
    expect(ids('title 9999')).toEqual(['t9999']);
    expect(ids('')).toHaveLength(10_000);
    const began = performance.now();
    ids('tool_12');
    expect(performance.now() - began).toBeLessThan(100);
  });
  it('draws only what is in view', () => {
    const drawn = windowOf(10_000, 44, 44 * 5000, 600);
    expect(drawn.to - drawn.from).toBeLessThan(45);
    expect(drawn.above + (drawn.to - drawn.from) * 44 + drawn.below).toBe(10_000 * 44);
    expect(windowOf(3, 44, 9999, 600)).toMatchObject({ to: 3, below: 0 });
    expect(windowOf(0, 44, 0, 600)).toMatchObject({ from: 0, to: 0 });
  });
  it('moves by keys, and scrolls no more than it must', () => {
    expect(step('ArrowDown', 9999, 10_000, 10)).toBe(9999);
    expect(step('ArrowUp', -1, 10_000, 10)).toBe(9999);
    expect(step('Home', 50, 10_000, 10)).toBe(0);
    expect(step('x', 50, 10_000, 10)).toBeNull();
    expect(scrollTo(5, 40, 0, 400)).toBe(0);
    expect(scrollTo(10, 40, 0, 400)).toBe(40);
    expect(scrollTo(2, 40, 400, 400)).toBe(80);
  });
});
