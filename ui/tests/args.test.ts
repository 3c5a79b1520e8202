import { describe, expect, it } from 'vitest';
import { buildArgs, fieldsOf, objectProblem, typedFrom } from '../src/features/calls/schema';

const schema = (properties: object, required: string[] = [], more: object = {}) =>
  JSON.stringify({ type: 'object', properties, required, ...more });
const kinds = (text: string) => Object.fromEntries(fieldsOf(text).map((field) => [field.name, field.kind]));

describe('fields from a schema', () => {
  it('knows the simple kinds and takes the rest as JSON', () => {
    const text = schema({
      a: { type: 'string' },
      b: { type: 'integer' },
      c: { type: 'number' },
      d: { type: 'boolean' },
      e: { enum: ['x', 1, null] },
      f: { type: 'array' },
      g: true,
      h: { type: ['string', 'null'] },
      i: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    });
    expect(kinds(text)).toEqual({
      a: 'text',
      b: 'integer',
      c: 'number',
      d: 'boolean',
      e: 'choice',
      f: 'json',
      g: 'json',
      h: 'text',
      i: 'integer',
    });
  });
  it('follows local references, and takes one in a circle as JSON', () => {
    const text = schema(
      {
        q: { $ref: '#/$defs/Q' },
        same: { $ref: '#/properties/q' },
        round: { $ref: '#/$defs/A' },
        far: { $ref: 'http://x/y' },
      },
      [],
      { $defs: { Q: { type: 'string' }, A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } },
    );
    expect(kinds(text)).toEqual({ q: 'text', same: 'text', round: 'json', far: 'json' });
  });
  it('gives a required property a field though the schema does not describe it', () => {
    expect(kinds(schema({}, ['ghost']))).toEqual({ ghost: 'json' });
  });
  it('gives no fields for a schema that is none, so that the tool can still be called', () => {
    for (const text of ['', '7', 'true', '{"properties":[]}']) expect(fieldsOf(text)).toEqual([]);
  });
  it('keeps the digits of a default', () => {
    expect(fieldsOf('{"properties":{"n":{"type":"integer","default":9007199254740993}}}')[0]?.fallback).toBe(
      '9007199254740993',
    );
  });
});

describe('arguments from fields', () => {
  const fields = fieldsOf(
    schema(
      {
        text: { type: 'string' },
        whole: { type: 'integer' },
        part: { type: 'number' },
        flag: { type: 'boolean' },
        pick: { enum: ['a', 2] },
        any: {},
      },
      ['text'],
    ),
  );
  const check = (typed: Parameters<typeof buildArgs>[1], expected: string) =>
    expect(buildArgs(fields, typed).args).toBe(expected);

  it('keeps digits beyond 2^53', () =>
    check({ text: 'x', whole: '9007199254740993' }, '{"text":"x","whole":9007199254740993}'));
  it('keeps the digits of a fraction', () =>
    check({ text: 'x', part: '0.10000000000000000001' }, '{"text":"x","part":0.10000000000000000001}'));
  it('leaves out what was not touched', () => check({ text: 'x' }, '{"text":"x"}'));
  it('leaves out what was emptied again', () => check({ text: 'x', whole: '', pick: '' }, '{"text":"x"}'));
  it('sends a no that was chosen', () => check({ text: 'x', flag: false }, '{"text":"x","flag":false}'));
  it('sends a choice as the value it is', () => check({ text: 'x', pick: '2' }, '{"text":"x","pick":2}'));
  it('keeps JSON as it was typed', () =>
    check({ text: 'x', any: '[9007199254740993]' }, '{"text":"x","any":[9007199254740993]}'));
  it('says which field is wrong and builds nothing', () => {
    expect(buildArgs(fields, { whole: '1.5', any: '{' })).toMatchObject({
      args: null,
      problems: { text: /./, whole: /whole/, any: /JSON/ },
    });
  });
  it('goes to JSON and back without losing a digit', () => {
    const args = '{"text":"x","whole":9007199254740993,"any":{"a":1.0}}';
    const typed = typedFrom(fields, args);
    expect(buildArgs(fields, typed ?? {}).args).toBe(args);
  });
  it('stays JSON where the fields cannot hold it', () => {
    expect(typedFrom(fields, '{"text":7}')).toBeNull();
    expect(typedFrom(fields, '{"unknown":7}')).toBeNull();
  });
  it('wants one object', () => {
    expect(objectProblem('[]')).toMatch(/object/);
    expect(objectProblem('{"a":1}')).toBeNull();
    expect(objectProblem('')).toBeNull();
  });
});
