/**
 * From a tool's input schema to the fields a person fills, and back to the arguments as JSON text. A property that is no
 * simple value becomes a field for JSON, so every property can be given. A schema never stops a call: it is a help, and the
 * server decides.
 */
import { type Json, JsonNumber, numberText, parse, write } from '../../kit/json';

export interface ArgField {
  name: string;
  kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'json';
  description: string | null;
  required: boolean;
  /** The default as JSON text; shown, not sent. */
  fallback: string | null;
  /** The values of a choice as JSON text, with what is shown. */
  options: { value: string; title: string }[];
}
/** What was typed by property; a property that nobody touched is not there. */
export type Typed = Record<string, string | boolean>;

const object = (value: Json | undefined): Map<string, Json> | null => (value instanceof Map ? value : null);
const text = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);

/** Follows local references; one that leads nowhere, elsewhere or in a circle is "any JSON". */
function resolve(schema: Json | undefined, root: Json, steps = 0): Map<string, Json> | null {
  const here = object(schema);
  const ref = text(here?.get('$ref'));
  if (!here || ref === null) return here;
  if (steps > 16 || !ref.startsWith('#')) return null;
  let at: Json | undefined = root;
  for (const token of ref.slice(1).split('/').slice(1)) {
    let key = token;
    try {
      key = decodeURIComponent(token);
    } catch {
      // not encoded: the token is the key
    }
    key = key.replaceAll('~1', '/').replaceAll('~0', '~');
    at = Array.isArray(at) ? at[Number(key)] : object(at)?.get(key);
  }
  const target = resolve(at, root, steps + 1);
  if (!target) return null;
  const siblings = [...here].filter(([key]) => key !== '$ref');
  return new Map([...target, ...siblings]);
}

/** `anyOf: [X, null]` and `type: [x, "null"]` are optional X. */
function withoutNull(schema: Map<string, Json>, root: Json): Map<string, Json> {
  const several = schema.get('anyOf') ?? schema.get('oneOf');
  if (Array.isArray(several) && !schema.has('type')) {
    const rest = several.map((one) => resolve(one, root)).filter((one) => one?.get('type') !== 'null');
    if (rest.length === 1 && rest[0] && several.length === 2) return new Map([...rest[0], ...schema]);
  }
  const types = schema.get('type');
  if (Array.isArray(types) && types.length === 2 && types.includes('null')) {
    const only = types.find((type) => type !== 'null');
    if (only !== undefined) return new Map([...schema, ['type', only]]);
  }
  return schema;
}

function optionsOf(schema: Map<string, Json>): ArgField['options'] {
  const shown = (value: Json) => (typeof value === 'string' ? value : write(value));
  const titled = schema.get('oneOf');
  if (Array.isArray(titled) && titled.length && titled.every((one) => object(one)?.has('const'))) {
    return titled.map((one) => {
      const value = object(one)?.get('const') ?? null;
      return { value: write(value), title: text(object(one)?.get('title')) ?? shown(value) };
    });
  }
  const plain = schema.get('enum');
  const names = schema.get('enumNames');
  if (!Array.isArray(plain)) return [];
  return plain.map((value, index) => ({
    value: write(value),
    title: (Array.isArray(names) ? text(names[index]) : null) ?? shown(value),
  }));
}

function fieldOf(name: string, property: Json, required: boolean, root: Json): ArgField {
  const resolved = resolve(property, root);
  const schema = resolved ? withoutNull(resolved, root) : new Map<string, Json>();
  const options = optionsOf(schema);
  const type = schema.get('type');
  let kind: ArgField['kind'] = 'json';
  if (options.length) kind = 'choice';
  else if (type === 'string') kind = 'text';
  else if (type === 'number' || type === 'integer' || type === 'boolean') kind = type;
  const fallback = schema.has('default') ? write(schema.get('default') ?? null) : null;
  return { name, kind, description: text(schema.get('description')), required, fallback, options };
}

export function fieldsOf(schemaText: string): ArgField[] {
  try {
    const root = parse(schemaText);
    const schema = resolve(root, root);
    const required = schema?.get('required');
    const names = Array.isArray(required) ? required : [];
    const properties = object(schema?.get('properties')) ?? new Map<string, Json>();
    const fields = [...properties].map(([name, one]) => fieldOf(name, one, names.includes(name), root));
    const missing = names.filter((name): name is string => typeof name === 'string' && !properties.has(name));
    return [...fields, ...missing.map((name) => fieldOf(name, true, true, root))];
  } catch {
    return [];
  }
}

export interface Built {
  /** The arguments as the text of one JSON object, where they could be built. */
  args: string | null;
  /** What is wrong, by property. */
  problems: Record<string, string>;
}

/** Numbers go in as they were typed, never through a machine's number; what was not touched, or emptied again, stays out. */
export function buildArgs(fields: ArgField[], typed: Typed): Built {
  const members = new Map<string, Json>();
  const problems: Record<string, string> = {};
  for (const { name, kind, required } of fields) {
    const value = Object.hasOwn(typed, name) ? typed[name] : undefined;
    if (value === undefined || value === '') {
      if (required && kind === 'boolean') members.set(name, false);
      else if (required) problems[name] = 'The server wants this one.';
    } else if (typeof value === 'boolean') members.set(name, value);
    else if (kind === 'text') members.set(name, value);
    else if (kind === 'number' || kind === 'integer') {
      const number = numberText(value, kind === 'integer');
      if (number === null)
        problems[name] = kind === 'integer' ? 'This is not a whole number.' : 'This is not a number.';
      else members.set(name, new JsonNumber(number));
    } else {
      try {
        members.set(name, parse(value));
      } catch (error) {
        problems[name] = error instanceof Error ? error.message : String(error);
      }
    }
  }
  return { args: Object.keys(problems).length ? null : write(members), problems };
}

/** The typed fields that mean these arguments; null where the arguments say more than the fields can. */
export function typedFrom(fields: ArgField[], args: string): Typed | null {
  const members = object(parse(args));
  if (!members || [...members.keys()].some((key) => !fields.some((field) => field.name === key))) return null;
  const typed: Typed = {};
  for (const [key, value] of members) {
    const field = fields.find((one) => one.name === key);
    if (field?.kind === 'text' && typeof value !== 'string') return null;
    if (field?.kind === 'boolean' && typeof value !== 'boolean') return null;
    if ((field?.kind === 'number' || field?.kind === 'integer') && !(value instanceof JsonNumber)) return null;
    if (field?.kind === 'choice' && !field.options.some((option) => option.value === write(value))) return null;
    typed[key] = field?.kind === 'text' || field?.kind === 'boolean' ? (value as string | boolean) : write(value);
  }
  return typed;
}

/** Checks the text of one JSON object, as typed by hand; null where it is good. */
export function objectProblem(args: string): string | null {
  try {
    return parse(args.trim() || '{}') instanceof Map ? null : 'The arguments must be one JSON object: { … }';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
