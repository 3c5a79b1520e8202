/**
 * JSON read where it is looked at. A value is a place in a text; nothing is built for what nobody opened, so a text of
 * fifty megabytes or five thousand levels costs one pass at most. It takes JSON that was checked before (Rust's); text that
 * is none ends in a `SyntaxError`, not in a loop.
 */
import { harmless } from './harmless';

export interface Slice {
  start: number;
  end: number;
}
export type Kind = 'object' | 'array' | 'string' | 'number' | 'word';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN = 123;
const CLOSE = 125;

const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9;
const broken = (at: number): never => {
  throw new SyntaxError(`Not JSON at character ${at}`);
};

function afterSpace(text: string, at: number): number {
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((at - before) % 2 === 1) return at + 1;
  }
  return broken(start);
}

/** Where the value that begins at `start` ends. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (code === OPEN || code === OPEN_LIST) {
      depth++;
      at++;
      continue;
    } else if (code === CLOSE || code === CLOSE_LIST) {
      depth--;
      at++;
    } else if (depth > 0) {
      at++;
      continue;
    } else {
      while (
        at < text.length &&
        !isSpace(code) &&
        !',:]}'.includes(text[at] as string) &&
        !isSpace(text.charCodeAt(at))
      )
        at++;
      return at > start ? at : broken(start);
    }
    if (depth === 0) return at;
    if (depth < 0) break;
  }
  return broken(start);
}

export function whole(text: string): Slice {
  const start = afterSpace(text, 0);
  return { start, end: valueEnd(text, start) };
}

export function kindOf(text: string, { start }: Slice): Kind {
  const code = text.charCodeAt(start);
  if (code === OPEN) return 'object';
  if (code === OPEN_LIST) return 'array';
  if (code === QUOTE) return 'string';
  return code === 45 || (code >= 48 && code <= 57) ? 'number' : 'word';
}

/** A string's own text. */
export function decode(text: string, { start, end }: Slice): string {
  const raw = text.slice(start, end);
  if (!raw.includes('\\')) return raw.slice(1, -1);
  try {
    return JSON.parse(raw) as string;
  } catch {
    return raw;
  }
}

/** The members of an object or the items of an array, as many at a time as wanted. */
export class Children {
  /** Keys of an object's members; empty for an array. */
  readonly keys: string[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  done = false;
  #at: number;
  readonly #named: boolean;

  constructor(
    readonly text: string,
    place: Slice,
  ) {
    this.#named = kindOf(text, place) === 'object';
    this.#at = afterSpace(text, place.start + 1);
    const code = text.charCodeAt(this.#at);
    this.done = code === CLOSE || code === CLOSE_LIST;
  }
  get length(): number {
    return this.starts.length;
  }
  /** Goes on until there are `most` of them. */
  read(most = Infinity): this {
    while (!this.done && this.starts.length < most) this.#next();
    return this;
  }
  #next() {
    const { text } = this;
    if (this.#named) {
      if (text.charCodeAt(this.#at) !== QUOTE) broken(this.#at);
      const end = stringEnd(text, this.#at);
      this.keys.push(decode(text, { start: this.#at, end }));
      this.#at = afterSpace(text, end);
      if (text.charCodeAt(this.#at) !== COLON) broken(this.#at);
      this.#at = afterSpace(text, this.#at + 1);
    }
    const end = valueEnd(text, this.#at);
    this.starts.push(this.#at);
    this.ends.push(end);
    this.#at = afterSpace(text, end);
    const code = text.charCodeAt(this.#at);
    if (code === COMMA) this.#at = afterSpace(text, this.#at + 1);
    else if (code === CLOSE || code === CLOSE_LIST) this.done = true;
    else broken(this.#at);
  }
  place(index: number): Slice {
    return { start: this.starts[index] as number, end: this.ends[index] as number };
  }
}

/** Server text in one line. */
export function oneLine(text: string): string {
  return harmless(text).replace(/[\n\t]/g, (sign) => (sign === '\n' ? '⏎' : '⇥'));
}

/** A value in one line, cut after `most` characters: a string without its quotes, everything else as it is written. */
export function brief(text: string, place: Slice, most: number): string {
  const { start, end } = place;
  if (kindOf(text, place) !== 'string') return cut(text.slice(start, Math.min(end, start + most + 1)), most);
  const room = (most + 1) * 6;
  if (end - start <= room) return cut(decode(text, place), most);
  // The first part of a long string, without an escape that the end of the part splits.
  const part = text.slice(start, start + room).replace(/(^|[^\\])((?:\\\\)*)\\(?:u[\da-fA-F]{0,3})?$/, '$1$2');
  return cut(decode(`${part}"`, { start: 0, end: part.length + 1 }), most);
}

function cut(value: string, most: number): string {
  if (value.length <= most) return oneLine(value);
  return `${oneLine(value.slice(0, most).replace(/[\ud800-\udbff]$/, ''))}…`;
}
