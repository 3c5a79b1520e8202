/**
 * What a schema says of one value, as a form can draw it. Made when the place is looked at and never deeper than that, so a
 * recursive schema ends where the person stops opening it. A schema is a help, never a gate: what it can't say plainly
 * becomes a field for any JSON, and the server decides. No pattern of a server's is ever run in the page.
 */
import { harmless } from '../../kit/harmless';
import { type Json, JsonNumber, write } from '../../kit/json';
import { asList, asObject, asText, Document, join, type Schema } from './refs';
import { hintOf } from './hints';

export type Kind =
  'text' | 'number' | 'integer' | 'boolean' | 'null' | 'choice' | 'many' | 'list' | 'object' | 'variants' | 'any';

export interface Option {
  /** The value as JSON text. */
  value: string;
  title: string;
}
export interface Property {
  name: string;
  schema: Json;
  required: boolean;
}
export interface Variant {
  title: string;
  schema: Schema;
}
export interface Shape {
  kind: Kind;
  title: string | null;
  description: string | null;
  /** Limits and formats in one line. */
  hint: string | null;
  /** Null may be chosen. */
  nullable: boolean;
  /** The default, or the one value there is. */
  fallback: Json | undefined;
  format: string | null;
  /** An empty text makes sense here. */
  emptyText: boolean;
  /** For `choice` and `many`. */
  options: Option[];
  /** For `object`. */
  properties: Property[];
  /** For `object`: schemas of further members by the pattern of their names; `null` stands for any name. */
  further: { pattern: string | null; schema: Json }[];
  /** For `list`: the first items of a tuple, and what all others are; null where there may be no others. */
  tuple: Json[];
  item: Json | null;
  variants: Variant[];
  refs: string[];
}

export const plainly = (value: Json): string => harmless(typeof value === 'string' ? value : write(value));
const isNull = (schema: Json) => asObject(schema)?.get('type') === 'null' || isConst(schema, null);
const isConst = (schema: Json, value: Json) => asObject(schema)?.get('const') === value;
const said = (value: Json | undefined) => {
  const text = asText(value)?.trim();
  return text ? harmless(text) : null;
};

export function shapeOf(document: Document, schema: Json): Shape {
  const resolved = document.resolve(schema);
  const types = asList(resolved.schema.get('type'));
  let nullable = types?.includes('null') ?? false;
  let rest = resolved.schema;
  const refs = [...resolved.refs];
  if (types) {
    const others = types.filter((type) => type !== 'null');
    rest = new Map([...rest, ['type', others.length === 1 ? (others[0] ?? null) : others.length ? others : 'null']]);
  }
  // Two steps are enough for anyOf within oneOf; what is nested deeper is a choice within a choice.
  for (let step = 0; step < 2; step++) {
    const key = rest.has('oneOf') ? 'oneOf' : 'anyOf';
    const branches = asList(rest.get(key));
    if (!branches || titled(branches)) break;
    const others = branches.filter((branch) => !isNull(branch) && !isNull(document.resolve(branch).schema));
    if (others.length < branches.length) nullable = true;
    const only = others.length === 1 ? others[0] : undefined;
    if (only === undefined) {
      rest = new Map([...rest, [key, others]]);
      break;
    }
    const inner = document.resolve(only);
    refs.push(...inner.refs);
    resolved.trouble ??= inner.trouble;
    rest = join(inner.schema, without(rest, key));
  }
  const options = optionsOf(rest);
  if (options.some((option) => option.value === 'null') && options.length > 1) nullable = true;
  const shape = { ...BLANK, ...describe(rest), nullable, refs };
  shape.hint =
    [resolved.trouble === null ? null : harmless(resolved.trouble), hintOf(rest)].filter(Boolean).join(' ') || null;
  return { ...shape, ...inside(document, rest, options) };
}

const BLANK: Shape = {
  kind: 'any',
  title: null,
  description: null,
  hint: null,
  nullable: false,
  fallback: undefined,
  format: null,
  emptyText: false,
  options: [],
  properties: [],
  further: [],
  tuple: [],
  item: null,
  variants: [],
  refs: [],
};

function describe(schema: Schema) {
  return {
    title: said(schema.get('title')),
    description: said(schema.get('description')),
    fallback: schema.has('default') ? schema.get('default') : schema.get('const'),
    format: asText(schema.get('format')),
  };
}

/** The kind, and what only that kind has. */
function inside(document: Document, schema: Schema, options: Option[]): Partial<Shape> {
  if (options.length)
    return { kind: 'choice', options: options.filter((option) => option.value !== 'null' || options.length === 1) };
  const several = asList(schema.get('oneOf')) ?? asList(schema.get('anyOf'));
  if (several && several.length > 1) {
    const base = without(without(schema, 'oneOf'), 'anyOf', 'default', 'title', 'description');
    return {
      kind: 'variants',
      variants: named(
        document,
        several.map((branch) => join(base, branchOf(document, branch))),
      ),
    };
  }
  const type = schema.get('type');
  if (Array.isArray(type) && type.length > 1) {
    const base = without(schema, 'default', 'title', 'description');
    return {
      kind: 'variants',
      variants: named(
        document,
        type.map((one) => new Map([...base, ['type', one]])),
      ),
    };
  }
  const kind = typeof type === 'string' ? type : guess(schema);
  if (kind === 'string')
    return { kind: 'text', emptyText: !positive(schema.get('minLength')) && !schema.has('format') };
  if (kind === 'number' || kind === 'integer' || kind === 'boolean' || kind === 'null') return { kind };
  if (kind === 'array') return listOf(document, schema);
  return kind === 'object' ? objectOf(schema) : { kind: 'any' };
}

const positive = (value: Json | undefined) => value instanceof JsonNumber && Number(value.text) > 0;
const branchOf = (document: Document, branch: Json) => document.resolve(branch).schema;
const without = (schema: Schema, ...keys: string[]): Schema =>
  new Map([...schema].filter(([key]) => !keys.includes(key)));

/** A schema without a type tells by its words what it is about. */
function guess(schema: Schema): string | null {
  const has = (...keys: string[]) => keys.some((key) => schema.has(key));
  if (has('properties', 'patternProperties', 'required') || asObject(schema.get('additionalProperties')))
    return 'object';
  if (has('prefixItems', 'items', 'minItems', 'maxItems', 'contains')) return 'array';
  if (has('minLength', 'maxLength', 'pattern', 'format')) return 'string';
  return has('minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum') ? 'number' : null;
}

const titled = (branches: Json[]) =>
  branches.length > 0 && branches.every((one) => asObject(one)?.has('const') || isNull(one));

function optionsOf(schema: Schema): Option[] {
  for (const key of ['oneOf', 'anyOf']) {
    const branches = asList(schema.get(key));
    if (!branches || !titled(branches)) continue;
    return branches.map((one) => {
      const value = asObject(one)?.get('const') ?? null;
      return { value: write(value), title: said(asObject(one)?.get('title')) ?? plainly(value) };
    });
  }
  const plain = asList(schema.get('enum')) ?? (schema.has('const') ? [schema.get('const') ?? null] : []);
  const names = asList(schema.get('enumNames')) ?? [];
  return plain.map((value, at) => ({ value: write(value), title: said(names[at]) ?? plainly(value) }));
}

function objectOf(schema: Schema): Partial<Shape> {
  const names = (asList(schema.get('required')) ?? []).filter((name) => typeof name === 'string');
  const known = asObject(schema.get('properties')) ?? new Map<string, Json>();
  const properties = [...known].map(([name, one]) => ({ name, schema: one, required: names.includes(name) }));
  for (const name of new Set(names)) if (!known.has(name)) properties.push({ name, schema: true, required: true });
  const further: Shape['further'] = [];
  for (const [pattern, one] of asObject(schema.get('patternProperties')) ?? []) further.push({ pattern, schema: one });
  const rest = schema.get('additionalProperties') ?? schema.get('unevaluatedProperties');
  if (rest === undefined ? properties.length === 0 && further.length === 0 : rest !== false) {
    further.push({ pattern: null, schema: rest ?? true });
  }
  return { kind: 'object', properties, further };
}

function listOf(document: Document, schema: Schema): Partial<Shape> {
  const items = schema.get('items');
  const tuple = asList(schema.get('prefixItems')) ?? asList(items) ?? [];
  const rest = Array.isArray(items) ? schema.get('additionalItems') : items;
  const fixed = tuple.length > 0 && !Array.isArray(items) && schema.get('unevaluatedItems') === false;
  const item = rest === false || (fixed && rest === undefined) ? null : (rest ?? true);
  if (tuple.length === 0 && item !== null) {
    const options = optionsOf(document.resolve(item).schema);
    if (options.length) return { kind: 'many', options, item };
  }
  return { kind: 'list', tuple, item };
}

const WORDS: Record<string, string> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  array: 'List',
  object: 'Object',
  null: 'null',
};

/** Names that tell the shapes apart: their titles, the constant that marks them, or what they are. */
function named(document: Document, schemas: Schema[]): Variant[] {
  const seen = new Map<string, number>();
  return schemas.map((schema) => {
    const type = schema.get('type');
    const what = (typeof type === 'string' ? type : guess(schema)) ?? '';
    const word = WORDS[what] ?? 'Any JSON';
    const properties = asObject(schema.get('properties')) ?? new Map<string, Json>();
    const mark = [...properties].find(([, one]) => asObject(one)?.has('const'));
    const needs = (asList(schema.get('required')) ?? []).filter((name) => typeof name === 'string').slice(0, 3);
    let title = said(schema.get('title'));
    if (title === null && schema.has('const')) title = plainly(schema.get('const') ?? null);
    if (title === null && mark) title = harmless(`${mark[0]}: ${plainly(asObject(mark[1])?.get('const') ?? null)}`);
    if (title === null && what === 'object' && needs.length) title = harmless(`${word} with ${needs.join(', ')}`);
    if (title === null && what === 'array') {
      const inner = document.resolve(schema.get('items')).schema.get('type');
      title = typeof inner === 'string' && WORDS[inner] ? `${word} of: ${WORDS[inner].toLowerCase()}` : word;
    }
    title ??= word;
    const times = (seen.get(title) ?? 0) + 1;
    seen.set(title, times);
    return { title: times > 1 ? `${title} (${times})` : title, schema };
  });
}
