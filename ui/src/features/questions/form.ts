/** From the fields of a form to its content as JSON text. What is optional and empty stays out; numbers keep their digits. */
import type { FieldKind, FieldView } from '../../ipc/types';
import { type Json, JsonNumber, numberText, parse, write } from '../../kit/json';

export type Value = string | boolean | string[] | undefined;
export type Values = Record<string, Value>;

function prefilled(field: FieldView): Value {
  try {
    return field.default === null ? undefined : fitting(field, parse(field.default));
  } catch {
    return undefined; // a default that is no JSON is none
  }
}

/** A value as its field holds it; none where it is of another kind. */
function fitting(field: FieldView, value: Json | undefined): Value {
  switch (field.kind.type) {
    case 'text':
    case 'choice':
      return typeof value === 'string' ? value : undefined;
    case 'number':
      return value instanceof JsonNumber ? value.text : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'multiChoice':
      return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : undefined;
  }
}

/** The defaults of the fields, and over them what the person entered into the same form before. */
export function initial(fields: FieldView[], draft: string | null = null): Values {
  let entered: Json = null;
  try {
    if (draft !== null) entered = parse(draft);
  } catch {
    // what was entered before and is no JSON is nothing
  }
  const before = entered instanceof Map ? entered : null;
  return Object.fromEntries(
    fields.map((field) => [field.key, before ? fitting(field, before.get(field.key)) : prefilled(field)]),
  );
}

/** One field's value as JSON; undefined where it stays out; throws what is wrong with it. */
function one({ kind, required }: FieldView, value: Value): Json | undefined {
  if (kind.type === 'boolean') return typeof value === 'boolean' ? value : required ? false : undefined;
  if (kind.type === 'choice' && kind.options.some((option) => option.value === value)) return value as string;
  if (kind.type === 'multiChoice') {
    const chosen = Array.isArray(value) ? value : [];
    if (chosen.length || (required && !kind.minItems)) return chosen;
  } else if (typeof value === 'string' && value !== '') {
    if (kind.type !== 'number') return value;
    const number = numberText(value, kind.integer);
    if (number === null) throw new Error(kind.integer ? 'This is not a whole number.' : 'This is not a number.');
    return new JsonNumber(number);
  }
  if (required) throw new Error('This one is required.');
  return undefined;
}

export function content(
  fields: FieldView[],
  values: Values,
): { content: string | null; problems: Record<string, string> } {
  const members = new Map<string, Json>();
  const problems: Record<string, string> = {};
  for (const field of fields) {
    try {
      const value = one(field, values[field.key]);
      if (value !== undefined) members.set(field.key, value);
    } catch (error) {
      problems[field.key] = error instanceof Error ? error.message : String(error);
    }
  }
  return { content: Object.keys(problems).length ? null : write(members), problems };
}

const FORMATS: Record<string, string> = {
  email: 'an e-mail address',
  uri: 'an address such as https://example.org/',
  date: 'a date as 2026-01-31',
  'date-time': 'a moment as 2026-01-31T12:00:00Z',
};

/** The limits of a field in words. */
export function limits(kind: FieldKind): string | null {
  const words = limitWords(kind);
  return words && words.charAt(0).toUpperCase() + words.slice(1);
}

function limitWords(kind: FieldKind): string | null {
  const range = (least: string | number | null, most: string | number | null, what: string) => {
    if (least !== null && most !== null) return `${least} to ${most}${what}`;
    if (least !== null) return `${least}${what} or more`;
    return most === null ? null : `${most}${what} at most`;
  };
  if (kind.type === 'text') {
    const format = kind.format === null ? null : (FORMATS[kind.format] ?? kind.format);
    return [format, range(kind.minLength, kind.maxLength, ' characters')].filter(Boolean).join(', ') || null;
  }
  if (kind.type === 'number') {
    return [kind.integer ? 'a whole number' : 'a number', range(kind.minimum, kind.maximum, '')]
      .filter(Boolean)
      .join(', ');
  }
  return kind.type === 'multiChoice' ? range(kind.minItems, kind.maxItems, ' choices') : null;
}
