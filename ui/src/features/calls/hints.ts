/** The limits that a schema sets on one value, in one line of words. Said, not enforced: the check is the host's. */
import { harmless } from '../../kit/harmless';
import { type Json, JsonNumber } from '../../kit/json';
import { asText, type Schema } from './refs';

const FORMATS: Record<string, string> = {
  date: 'A date, such as 2026-08-04',
  'date-time': 'A date and time with its zone, such as 2026-08-04T14:30:00Z',
  time: 'A time with its zone, such as 14:30:00Z',
  duration: 'A duration, such as P3DT4H',
  email: 'An email address',
  'idn-email': 'An email address',
  uri: 'A full address, such as https://example.org/page',
  iri: 'A full address, such as https://example.org/page',
  'uri-reference': 'An address, full or relative',
  hostname: 'A host name',
  ipv4: 'An IPv4 address',
  ipv6: 'An IPv6 address',
  uuid: 'A UUID',
  regex: 'A regular expression',
  'json-pointer': 'A JSON pointer',
};
/** A pattern longer than this tells a person nothing. */
const LONGEST = 120;

export function hintOf(schema: Schema): string | null {
  const number = (key: string) => digits(schema.get(key));
  const format = asText(schema.get('format'));
  const pattern = asText(schema.get('pattern'));
  const parts = [
    format === null ? null : (FORMATS[format] ?? harmless(`Format: ${format}`)),
    between(number('minLength'), number('maxLength'), 'character', 'characters'),
    range(schema),
    number('multipleOf') === null ? null : `A multiple of ${number('multipleOf')}`,
    between(number('minItems'), number('maxItems'), 'item', 'items'),
    schema.get('uniqueItems') === true ? 'No item twice' : null,
    between(number('minProperties'), number('maxProperties'), 'member', 'members'),
    pattern === null
      ? null
      : `Pattern: ${harmless(pattern.length > LONGEST ? `${pattern.slice(0, LONGEST)}…` : pattern)}`,
    schema.get('deprecated') === true ? 'The server calls this outdated' : null,
  ].filter((part) => part !== null);
  return parts.length ? `${parts.join('. ')}.` : null;
}

const digits = (value: Json | undefined) => (value instanceof JsonNumber ? value.text : null);

function between(least: string | null, most: string | null, one: string, many: string): string | null {
  const word = (count: string) => `${count} ${count === '1' ? one : many}`;
  if (least === '0') least = null;
  if (least !== null && most !== null) return least === most ? `Exactly ${word(least)}` : `${least} to ${word(most)}`;
  if (least !== null) return `At least ${word(least)}`;
  return most === null ? null : `At most ${word(most)}`;
}

function range(schema: Schema): string | null {
  const parts: string[] = [];
  for (const [key, sign] of [
    ['minimum', 'At least'],
    ['exclusiveMinimum', 'More than'],
    ['maximum', 'at most'],
    ['exclusiveMaximum', 'less than'],
  ] as const) {
    const limit = digits(schema.get(key));
    if (limit !== null)
      parts.push(`${parts.length ? sign.toLowerCase() : sign.charAt(0).toUpperCase() + sign.slice(1)} ${limit}`);
  }
  return parts.length ? parts.join(', ') : null;
}
