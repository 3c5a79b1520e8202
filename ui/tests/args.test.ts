import { describe, expect, it } from 'vitest';
import { numberOf, textProblem, WANTED } from '../src/features/calls/build';
import { fill } from '../src/features/calls/fill';
import {
  buildArgs,
  fieldsOf,
  jsonFrom,
  objectProblem,
  placed,
  promptForm,
  typedFrom,
} from '../src/features/calls/schema';
import { shapeOf } from '../src/features/calls/shape';
import { freshRow, moveItem, type Value, withItem, withMember, withRow } from '../src/features/calls/value';
import { parse } from '../src/kit/json';

const schema = (properties: object, required: string[] = [], more: object = {}) =>
  JSON.stringify({ type: 'object', properties, required, ...more });
const form = (properties: object, required: string[] = [], more: object = {}) =>
  fieldsOf(schema(properties, required, more));
const text = (typed: string): Value => ({ is: 'text', text: typed });
const members = (values: Record<string, Value>): Value => ({
  is: 'object',
  members: new Map(Object.entries(values)),
  rows: [],
});
const built = (of: ReturnType<typeof form>, values: Record<string, Value>) => buildArgs(of, { root: members(values) });

describe('arguments from fields', () => {
  const fields = form(
    {
      text: { type: 'string' },
      whole: { type: 'integer' },
      part: { type: 'number' },
      flag: { type: 'boolean' },
      pick: { enum: ['a', 2] },
      any: {},
      maybe: { type: ['string', 'null'] },
      ten: { type: 'integer', default: 10 },
    },
    ['text'],
  );
  const check = (values: Record<string, Value>, expected: string) => {
    const { args, problems } = built(fields, { text: text('x'), ...values });
    expect(problems).toEqual({});
    expect(args).toBe(expected);
  };

  it('keeps digits beyond 2^53', () =>
    check({ whole: text('9007199254740993') }, '{"text":"x","whole":9007199254740993}'));
  it('keeps the digits of a fraction', () =>
    check({ part: text('0.10000000000000000001') }, '{"text":"x","part":0.10000000000000000001}'));
  it('leaves out what was not touched, with or without a default', () => check({}, '{"text":"x"}'));
  it('leaves out what was emptied again', () => check({ whole: text(''), maybe: text('') }, '{"text":"x"}'));
  it('sends an empty text that was chosen', () => check({ maybe: { is: 'empty' } }, '{"text":"x","maybe":""}'));
  it('sends null that was chosen', () => check({ maybe: { is: 'null' } }, '{"text":"x","maybe":null}'));
  it('sends a no that was chosen', () => check({ flag: { is: 'flag', on: false } }, '{"text":"x","flag":false}'));
  it('sends a choice as the value it is', () => check({ pick: { is: 'choice', value: '2' } }, '{"text":"x","pick":2}'));
  it('keeps JSON as it was typed', () =>
    check({ any: { is: 'json', text: '[9007199254740993]' } }, '{"text":"x","any":[9007199254740993]}'));
  it('sends an untouched default only where it is required', () => {
    const one = form({ a: { type: 'integer', default: 3 }, b: { const: 'x' }, c: { type: 'boolean' } }, [
      'a',
      'b',
      'c',
    ]);
    expect(buildArgs(one, {}).args).toBe('{"a":3,"b":"x","c":false}');
  });
  it('says which field is wrong, and sends the rest anyway only where all of it is JSON', () => {
    const wrong = built(fields, { whole: text('1.5'), any: { is: 'json', text: '{' } });
    expect(wrong.problems).toMatchObject({ '/text': WANTED, '/whole': /whole/, '/any': /JSON|early/ });
    expect(wrong.stuck).toBe(true);
    expect(built(fields, {})).toMatchObject({ problems: { '/text': WANTED }, stuck: false, args: '{}' });
  });
  it('does not trip over what was typed for a schema that changed', () =>
    expect(built(fields, { text: { is: 'flag', on: true }, pick: { is: 'choice', value: '"gone"' } }).args).toBe('{}'));
  it('wants one object', () => {
    expect(objectProblem('[]')).toMatch(/object/);
    expect(objectProblem('{"a":1}')).toBeNull();
    expect(objectProblem('')).toBeNull();
  });
  it('takes a prompt’s arguments as texts', () => {
    const prompt = promptForm([
      { name: 'topic', kind: 'text', description: 'What', required: true, fallback: null, options: [] },
    ]);
    expect(buildArgs(prompt, { root: members({ topic: text('7') }) }).args).toBe('{"topic":"7"}');
    expect(buildArgs(prompt, {}).problems).toEqual({ '/topic': WANTED });
  });
});

describe('objects, lists and shapes', () => {
  it('sends lists in order, moved and tupled', () => {
    const of = form({ at: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], items: false } });
    const list = typedFrom(of, '{"at":[1.50,"x"]}');
    expect(typeof list === 'string' ? list : buildArgs(of, list).args).toBe('{"at":[1.50,"x"]}');
    const moved = moveItem({ is: 'list', items: [1, 2, 3].map((key) => ({ key, value: text(String(key)) })) }, 2, 0);
    expect(moved.items.map(({ key }) => key)).toEqual([3, 1, 2]);
    expect(withItem(moved, 1, undefined).items[1]).toEqual({ key: 1, value: undefined });
  });
  it('knows tuples of draft-07 too', () => {
    const { document } = form({ t: { type: 'array', items: [{ type: 'integer' }], additionalItems: false } });
    const shape = shapeOf(document, document.at('#/properties/t') ?? true);
    expect(shape).toMatchObject({ kind: 'list', item: null });
    expect(shape.tuple).toHaveLength(1);
  });
  it('says an item that is missing at its place', () => {
    const of = form({ l: { type: 'array', items: { type: 'string' } } });
    const items = [
      { key: 0, value: text('a') },
      { key: 1, value: undefined },
    ];
    expect(built(of, { l: { is: 'list', items } }).problems).toEqual({ '/l/1': WANTED });
  });
  it('sends members that the schema does not name, and no name twice', () => {
    const of = form({ a: { type: 'string' } }, [], { additionalProperties: { type: 'integer' } });
    const root = withRow(members({}), freshRow('n', 0, text('7')));
    expect(buildArgs(of, { root }).args).toBe('{"n":7}');
    const twice = withRow(root, freshRow('n', 0, text('8')));
    expect(Object.values(buildArgs(of, { root: twice }).problems)).toEqual(['This name stands here already.']);
  });
  it('opens what is required and fills it with its own defaults', () => {
    const of = form({ o: { type: 'object', properties: { k: { type: 'string', default: 'v' } }, required: ['k'] } }, [
      'o',
    ]);
    expect(buildArgs(of, {}).args).toBe('{"o":{"k":"v"}}');
  });
  it('takes the likeliest of several shapes, and its constant goes along', () => {
    const of = form({
      s: {
        oneOf: [
          { properties: { kind: { const: 'file' }, path: { type: 'string' } }, required: ['kind', 'path'] },
          { properties: { kind: { const: 'web' }, url: { type: 'string' } }, required: ['kind', 'url'] },
        ],
        type: 'object',
      },
    });
    const shape = shapeOf(of.document, of.document.at('#/properties/s') ?? true);
    expect(shape.variants.map(({ title }) => title)).toEqual(['kind: file', 'kind: web']);
    const typed = typedFrom(of, '{"s":{"kind":"web","url":"u"}}');
    expect(typed).toMatchObject({ root: { is: 'object' } });
    const web: Value = { is: 'variant', at: 1, value: members({ url: text('u') }) };
    expect(built(of, { s: web }).args).toBe('{"s":{"kind":"web","url":"u"}}');
  });
  it('makes a shape of each of several types', () => {
    const { document } = form({ v: { type: ['string', 'integer', 'null'] } });
    const shape = shapeOf(document, document.at('#/properties/v') ?? true);
    expect(shape).toMatchObject({ kind: 'variants', nullable: true });
    expect(fill(document, document.at('#/properties/v') ?? true, parse('9007199254740993'))).toMatchObject({
      is: 'variant',
      at: 1,
    });
  });
});

describe('JSON and back', () => {
  const of = form({
    text: { type: 'string' },
    whole: { type: 'integer' },
    tags: { type: 'array', items: { enum: ['a', 'b'] } },
    inner: { type: 'object', properties: { x: { type: 'number' } } },
  });
  const check = (args: string) => {
    const typed = typedFrom(of, args);
    expect(typeof typed === 'string' ? typed : buildArgs(of, typed).args).toBe(args);
  };
  it('loses no digit, no member that it does not know, and nothing that its fields have no place for', () => {
    check('{"text":"x","whole":9007199254740993,"inner":{"x":-0.0,"more":[1,{"a":null}]}}');
    check('{"text":7,"whole":"seven","tags":["a","a"],"inner":[1]}');
    check('{"text":null,"tags":["b","a"],"unknown":{"deep":[9007199254740993]}}');
    check('{"text":""}');
    check('{}');
  });
  it('keeps a member called __proto__', () => check('{"__proto__":{"x":1}}'));
  it('stays JSON where a member stands twice, since one of them would be lost', () =>
    expect(typedFrom(of, '{"a":1,"a":2}')).toMatch(/twice/));
  it('stays JSON where it is none', () => expect(typedFrom(of, '{"a":')).toMatch(/early/));
  it('begins empty', () => expect(jsonFrom(of, {})).toBe('{}'));
});

describe('faults find their field', () => {
  const of = form({
    l: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } },
    any: {},
    'a/b': { type: 'string' },
  });
  const typed = typedFrom(of, '{"l":[{"n":1}],"any":{"deep":[1]}}');
  const check = (path: string, message: string, expected: Record<string, string>) =>
    expect(placed(of, typeof typed === 'string' ? {} : typed, [{ path, message }])).toEqual(expected);

  it('at its own place', () => check('/l/0/n', 'no', { '/l/0/n': 'no' }));
  it('at the innermost place that is drawn', () => check('/any/deep/0', 'no', { '/any': 'At deep › 0: no' }));
  it('with escapes', () => check('/a~1b', 'no', { '/a~1b': 'no' }));
  it('where it is missing', () =>
    check('/l/0', '"n" is a required property', { '/l/0/n': '"n" is a required property' }));
  it('at the top where no field is meant', () => check('', 'too few', { '': 'too few' }));
});

describe('F12: a typed number is never rewritten', () => {
  const shape = (type: string) => {
    const { document } = form({ n: { type } });
    return shapeOf(document, document.at('#/properties/n') ?? true);
  };
  it.each(['-', '-0', '1.', '.5', '1e3', '1,5', '-74.0', '-74.01'])('keeps %s as it is typed', (typed) => {
    const tree = withMember(undefined, 'n', text(typed));
    expect(tree.members.get('n')).toEqual({ is: 'text', text: typed });
  });
  it.each([
    ['-0', '-0'],
    ['1.', '1'],
    ['.5', '0.5'],
    ['1e3', '1e3'],
    ['-74.01', '-74.01'],
    ['-', null],
    ['1,5', null],
  ])('takes %s as %s when it is sent', (typed, number) => expect(numberOf(typed, false)).toBe(number));
  it('says what is wrong on leaving', () => {
    expect(textProblem(shape('number'), text('1,5'))).toMatch(/point/);
    expect(textProblem(shape('number'), text('-'))).toMatch(/not a number/);
    expect(textProblem(shape('number'), text('1e3'))).toBeNull();
  });
  it('counts what is whole by its value', () => {
    for (const whole of ['1e3', '1.0', '1.50e1', '10e-1', '-0', '9007199254740993']) {
      expect(numberOf(whole, true), whole).not.toBeNull();
    }
    for (const part of ['1.5', '1e-1', '1.55e1']) expect(numberOf(part, true), part).toBeNull();
  });
});
