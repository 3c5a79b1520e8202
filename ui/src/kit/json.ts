/**
 * JSON that keeps its digits. `JSON.parse` turns 9007199254740993 into another number; here a number stays the text it was.
 */
export class JsonNumber {
  constructor(readonly text: string) {}
}
export type Json = null | boolean | string | JsonNumber | Json[] | Map<string, Json>;

/** Text that is no JSON, with the place where it stops being so. */
export class JsonError extends SyntaxError {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y; // eslint-disable-line no-control-regex
const SPACE = /[ \t\r\n]*/y;
const DEEPEST = 128;

/** `twice` hears of each member that stands twice in its object, of which only the last is kept. */
export function parse(text: string, twice?: (key: string) => void): Json {
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found ? found[0] : null;
  };
  const fail = (): never => {
    const line = text.slice(0, at).split('\n').length;
    throw new JsonError(
      at >= text.length ? 'The JSON ends too early' : `Not JSON at line ${line}: ${text.slice(at, at + 12)}`,
      at,
    );
  };
  const punctuation = (sign: string): boolean => {
    take(SPACE);
    if (text[at] !== sign) return false;
    at += 1;
    return true;
  };
  const string = (): string => {
    take(SPACE);
    const found = take(STRING);
    try {
      return found === null ? fail() : (JSON.parse(found) as string);
    } catch {
      return fail();
    }
  };
  const value = (depth: number): Json => {
    if (depth > DEEPEST) throw new JsonError('The JSON is nested too deep', at);
    take(SPACE);
    if (text[at] === '"') return string();
    if (punctuation('{')) {
      const members = new Map<string, Json>();
      if (punctuation('}')) return members;
      do {
        const key = string();
        if (!punctuation(':')) fail();
        if (members.has(key)) twice?.(key);
        members.set(key, value(depth + 1));
      } while (punctuation(','));
      return punctuation('}') ? members : fail();
    }
    if (punctuation('[')) {
      const items: Json[] = [];
      if (punctuation(']')) return items;
      do items.push(value(depth + 1));
      while (punctuation(','));
      return punctuation(']') ? items : fail();
    }
    for (const [word, meaning] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    }
    const number = take(NUMBER);
    return number === null ? fail() : new JsonNumber(number);
  };
  const whole = value(0);
  take(SPACE);
  return at === text.length ? whole : fail();
}

/** The text of a value; on several lines where an indent is given. */
export function write(value: Json, indent = '', before = ''): string {
  const inner = before + indent;
  const join = (parts: string[], open: string, close: string) => {
    if (parts.length === 0) return open + close;
    return indent ? `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${before}${close}` : open + parts.join(',') + close;
  };
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value))
    return join(
      value.map((item) => write(item, indent, inner)),
      '[',
      ']',
    );
  if (value instanceof Map) {
    const gap = indent ? ': ' : ':';
    return join(
      [...value].map(([key, item]) => JSON.stringify(key) + gap + write(item, indent, inner)),
      '{',
      '}',
    );
  }
  return JSON.stringify(value);
}

/** The same JSON on several lines; text that is no JSON comes back as it is. */
export function pretty(text: string): string {
  try {
    return write(parse(text), '  ');
  } catch {
    return text;
  }
}

/** What a person typed as a number, as JSON; null where it is none. `.5`, `1.` and `+3` are understood. */
export function numberText(typed: string, integer: boolean): string | null {
  let text = typed.trim().replace(/^\+/, '');
  text = text.replace(/^(-?)0+(?=\d)/, '$1');
  if (integer) return /^-?\d+$/.test(text) ? text : null;
  text = text.replace(/^(-?)\./, '$10.').replace(/\.(?=$|[eE])/, '');
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? text : null;
}
