/** JSON for the twin: numbers keep the digits they were written with, objects the order of their members. */
export class Digits {
  constructor(readonly text: string) {}
}
export type Json = null | boolean | string | Digits | Json[] | Map<string, Json>;

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function read(text: string): Json {
  const marked = text.replace(TOKEN, (token) => (token.startsWith('"') ? token : `{"#":"${token}"}`));
  return JSON.parse(marked, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const members = Object.entries(value);
    const number = members.length === 1 && members[0]?.[0] === '#';
    return number ? new Digits(String(members[0]?.[1])) : new Map(members);
  }) as Json;
}

export function write(value: Json): string {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (value instanceof Map)
    return `{${[...value].map(([key, item]) => `${JSON.stringify(key)}:${write(item)}`).join(',')}}`;
  return JSON.stringify(value);
}

/** What can't be seen written out, as the host does it. */
export function shown(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (sign) => {
    if (sign === '\n' || sign === '\t') return sign;
    const code = sign.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
