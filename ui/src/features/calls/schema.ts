/**
 * The form of a tool or prompt: its schema as a document, the arguments built from what was typed, and typed again from
 * JSON. A schema that can't be read gives a form without fields, and the JSON editor still calls the tool.
 */
import { type Json, parse, pretty, write } from '../../kit/json';
import type { FaultView } from '../../ipc/types';
import { Builder, type Report } from './build';
import { fill } from './fill';
import { Document, keysOf, pointer } from './refs';
import { shapeOf } from './shape';
import { suited, type Typed, type Value } from './value';

export type { Typed } from './value';

export interface Form {
  document: Document;
  /** Why the schema could not be read, where it could not. */
  unreadable: string | null;
  /** True where no argument is named and none may be added. */
  bare: boolean;
}

/** An argument of a prompt's: always a text. */
export interface ArgField {
  name: string;
  kind: 'text';
  description: string | null;
  required: boolean;
  fallback: string | null;
  options: { value: string; title: string }[];
}

/** Schemas that were read last, by their text: a list that is drawn again has the same ones. */
const KEPT = 32;
const kept = new Map<string, Form>();

export function fieldsOf(schemaText: string): Form {
  const known = kept.get(schemaText);
  if (known) return known;
  const form = read(schemaText);
  kept.set(schemaText, form);
  for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest);
  return form;
}

function read(schemaText: string): Form {
  try {
    const document = new Document(schemaText);
    const shape = shapeOf(document, document.root);
    const root = document.root instanceof Map ? document.root : null;
    const open = root?.has('additionalProperties') && shape.further.length > 0;
    const empty = shape.kind === 'object' && shape.properties.length === 0 && !open && !root?.has('patternProperties');
    // Arguments are an object whatever the schema says.
    if (shape.kind !== 'object' && shape.kind !== 'variants')
      return { document: nothing(), unreadable: null, bare: true };
    return { document, unreadable: null, bare: empty };
  } catch (error) {
    const unreadable = error instanceof Error ? error.message : String(error);
    return { document: nothing(), unreadable, bare: true };
  }
}

const nothing = () => new Document('{"type":"object"}');

/** The form of a prompt's arguments. */
export function promptForm(fields: ArgField[]): Form {
  const properties = fields.map(({ name, description }): [string, Json] => {
    const schema = new Map<string, Json>([['type', 'string']]);
    if (description !== null) schema.set('description', description);
    return [name, schema];
  });
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const schema = new Map<string, Json>([
    ['type', 'object'],
    ['properties', new Map(properties)],
    ['required', required],
  ]);
  return fieldsOf(write(schema));
}

export interface Built extends Report {
  /** The arguments as the text of one JSON object, without the places that are wrong. */
  args: string;
}

/** Numbers go in as they were typed, never through a machine's number. */
export function buildArgs({ document, bare }: Form, { root }: Typed): Built {
  const builder = new Builder(document);
  const built = bare && root === undefined ? new Map() : builder.build(document.root, root, true);
  return { args: write(built ?? new Map()), ...builder.report };
}

/** The tree that means these arguments, or why there is none. */
export function typedFrom(form: Form, args: string): Typed | string {
  try {
    const twice: string[] = [];
    const json = parse(args.trim() || '{}', (key) => twice.push(key));
    if (twice.length) return `“${twice[0]}” stands in one object twice, which fields can’t show.`;
    if (!(json instanceof Map)) return 'The arguments must be one JSON object: { … }';
    if (json.size === 0) return {};
    const root = fill(form.document, form.document.root, json);
    return root.is === 'json' ? 'The fields can’t hold this JSON.' : { root };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The JSON of a form, for the editor. What was typed but is no JSON yet stays in the form. */
export function jsonFrom(form: Form, typed: Typed): string {
  return typed.root === undefined ? '{}' : pretty(buildArgs(form, typed).args);
}

/** Checks the text of one JSON object, as typed by hand; null where it is good. */
export function objectProblem(args: string): string | null {
  try {
    return parse(args.trim() || '{}') instanceof Map ? null : 'The arguments must be one JSON object: { … }';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** `q` is missing: a validator says it of the object, a person looks for it at the field. */
const MISSING = /^"((?:[^"\\]|\\.)*)" is a required property/;

/** Puts each fault at the innermost place that the form draws, with the rest of its way in words. */
export function placed(form: Form, { root }: Typed, faults: FaultView[]): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const { path, message } of faults) {
    const missing = MISSING.exec(message)?.[1];
    const keys = missing === undefined ? keysOf(path) : [...keysOf(path), missing];
    const at = innermost(form.document, form.document.root, root, keys);
    const rest = keys.slice(keysOf(at).length);
    const words = rest.length && missing === undefined ? `At ${rest.join(' › ')}: ${message}` : message;
    problems[at] = problems[at] ? `${problems[at]}\n${words}` : words;
  }
  return problems;
}

function innermost(document: Document, schema: Json, typed: Value | undefined, keys: string[], path = ''): string {
  const [key, ...rest] = keys;
  const shape = shapeOf(document, schema);
  const value = suited(shape, typed);
  if (key === undefined) return path;
  if (value?.is === 'variant') {
    return innermost(document, shape.variants[value.at]?.schema ?? true, value.value, keys, path);
  }
  if (shape.kind === 'object' && (value?.is === 'object' || value === undefined)) {
    const property = shape.properties.find(({ name }) => name === key);
    const row = value?.rows.find(({ name }) => name === key);
    const inner = property?.schema ?? (row && (shape.further[row.at]?.schema ?? true));
    if (inner === undefined) return path;
    return innermost(document, inner, row ? row.value : value?.members.get(key), rest, pointer(path, key));
  }
  const item = value?.is === 'list' ? value.items[Number(key)] : undefined;
  if (item === undefined) return path;
  const inner = shape.tuple[Number(key)] ?? shape.item ?? true;
  return innermost(document, inner, item.value, rest, pointer(path, key));
}
