/** An array of objects as rows and columns. The rows are places in the text; a cell is read when it is looked at. */
import { brief, Children, decode, kindOf, oneLine, type Slice, whole } from '../../kit/slices';
import { late } from '../../kit/turns';

export interface TablePlace {
  place: Slice;
  /** The member that holds the rows; none where the whole is the array. */
  key: string | null;
  /** Other members beside it. */
  others: number;
}
export const MOST_COLUMNS = 200;

/** Where in a value a table stands: an array of objects, or the only one in an object. */
export function tablePlace(text: string): TablePlace | null {
  try {
    const root = whole(text);
    if (kindOf(text, root) === 'array') return beginsTable(text, root) ? { place: root, key: null, others: 0 } : null;
    if (kindOf(text, root) !== 'object') return null;
    const members = new Children(text, root).read(1000);
    const tables = members.keys.flatMap((key, index) => {
      const place = members.place(index);
      return kindOf(text, place) === 'array' && beginsTable(text, place)
        ? [{ place, key, others: members.length - 1 }]
        : [];
    });
    return members.done && tables.length === 1 ? (tables[0] as TablePlace) : null;
  } catch {
    return null;
  }
}

function beginsTable(text: string, array: Slice): boolean {
  const items = new Children(text, array).read(3);
  return (
    items.length > 0 &&
    items.starts.every((start, index) => kindOf(text, { start, end: items.ends[index] as number }) === 'object')
  );
}

export class Table {
  readonly columns: string[] = [];
  /** How many characters wide a column's first cells are. */
  readonly widths: number[] = [];
  /** Whether the first cells of a column are numbers, and nothing else. */
  readonly numbers: boolean[] = [];
  /** Columns that were left out, since there are too many. */
  dropped = 0;
  /** True where an item is no object after all. */
  broken = false;
  readonly #items: Children;
  #places = new Map<string, number>();
  #seen = 0;
  #left = new Set<string>();

  constructor(
    readonly text: string,
    readonly place: Slice,
  ) {
    this.#items = new Children(text, place);
  }
  get count(): number {
    return this.#seen;
  }

  /** Finds rows until the time comes; true when all are known, or when it is no table. */
  grow(until: number): boolean {
    try {
      for (let turn = 0; !this.#items.done || this.#seen < this.#items.length; turn++) {
        this.#items.read(this.#seen + 1);
        this.#meet(this.#seen);
        if (this.broken) return true;
        this.#seen++;
        if (late(turn, until)) return false;
      }
    } catch {
      this.broken = true;
    }
    return true;
  }
  #meet(row: number) {
    const place = this.#items.place(row);
    this.broken = kindOf(this.text, place) !== 'object';
    if (this.broken) return;
    const members = new Children(this.text, place).read();
    for (const [index, key] of members.keys.entries()) {
      let column = this.#places.get(key);
      if (column === undefined) {
        if (this.columns.length >= MOST_COLUMNS) {
          this.#left.add(key);
          this.dropped = this.#left.size;
          continue;
        }
        column = this.columns.length;
        this.#places.set(key, column);
        this.columns.push(key);
        this.widths.push(Math.min(oneLine(key).length + 3, 28));
      }
      if (row < 100) {
        const number = this.isNumber(members.place(index));
        this.numbers[column] = number && (this.numbers[column] ?? true);
        const wide = Math.min(brief(this.text, members.place(index), 36).length + 1, 36);
        if (wide > (this.widths[column] as number)) this.widths[column] = wide;
      }
    }
  }

  row(row: number): Slice {
    return this.#items.place(row);
  }
  /** A row's values by column. */
  values(row: number): (Slice | undefined)[] {
    const members = new Children(this.text, this.row(row)).read();
    const values: (Slice | undefined)[] = Array.from({ length: this.columns.length });
    for (const [index, key] of members.keys.entries()) {
      const column = this.#places.get(key);
      if (column !== undefined) values[column] = members.place(index);
    }
    return values;
  }
  shown(place: Slice): string {
    return brief(this.text, place, 120);
  }
  isNumber(place: Slice | undefined): boolean {
    return place !== undefined && kindOf(this.text, place) === 'number';
  }
}

/** The rows' order by a column, found in turns: numbers by value, then words, then what is missing. */
export class Sorting {
  order: Uint32Array | null = null;
  #keys: Key[] = [];

  constructor(
    readonly table: Table,
    readonly column: number,
    readonly down: boolean,
  ) {}

  step(until: number): boolean {
    const { table } = this;
    for (let turn = 0; this.#keys.length < table.count; turn++) {
      this.#keys.push(keyOf(table, table.values(this.#keys.length)[this.column]));
      if (late(turn, until)) return false;
    }
    const keys = this.#keys;
    const sign = this.down ? -1 : 1;
    this.order = Uint32Array.from(keys, (_, index) => index).sort((a, b) => {
      const [one, other] = [keys[a] as Key, keys[b] as Key];
      // What is missing stands at the end either way.
      if (one.rank !== other.rank)
        return one.rank === 3 || other.rank === 3 ? one.rank - other.rank : sign * (one.rank - other.rank);
      return sign * compare(one, other) || a - b;
    });
    return true;
  }
}

interface Key {
  rank: 0 | 1 | 2 | 3;
  number: number;
  text: string;
}

function keyOf(table: Table, place: Slice | undefined): Key {
  if (!place) return { rank: 3, number: 0, text: '' };
  const { text } = table;
  const kind = kindOf(text, place);
  if (kind === 'number') {
    const raw = text.slice(place.start, place.end);
    return { rank: 0, number: Number(raw), text: raw };
  }
  if (kind === 'string') return { rank: 1, number: 0, text: brief(text, place, 200).toLowerCase() };
  const raw = text.slice(place.start, Math.min(place.end, place.start + 200));
  return raw === 'null' ? { rank: 3, number: 0, text: '' } : { rank: 2, number: 0, text: raw };
}

function compare(one: Key, other: Key): number {
  if (one.rank !== 0) return one.text < other.text ? -1 : one.text > other.text ? 1 : 0;
  if (one.number !== other.number) return one.number < other.number ? -1 : 1;
  if (one.text === other.text || !/^-?\d+$/.test(one.text) || !/^-?\d+$/.test(other.text)) return 0;
  const [a, b] = [BigInt(one.text), BigInt(other.text)]; // beyond 2^53 two numbers are one to the machine
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The table as text, made in turns. */
export class Export {
  #parts: string[] = [];
  #at = 0;

  constructor(
    readonly table: Table,
    readonly order: Uint32Array | null,
    readonly form: 'csv' | 'json',
  ) {
    if (form === 'csv') this.#parts.push(`${table.columns.map((column) => quoted(column, true)).join(',')}\r\n`);
  }
  step(until: number): boolean {
    const { table, order } = this;
    for (let turn = 0; this.#at < table.count; turn++) {
      const row = order?.[this.#at] ?? this.#at;
      this.#parts.push(this.form === 'csv' ? csvRow(table, row) : jsonRow(table, row));
      this.#at++;
      if (late(turn, until)) return false;
    }
    return true;
  }
  text(): string {
    return this.form === 'csv' ? this.#parts.join('') : `[\n${this.#parts.join(',\n')}\n]\n`;
  }
}

function jsonRow(table: Table, at: number): string {
  const { start, end } = table.row(at);
  return table.text.slice(start, end);
}

function csvRow(table: Table, row: number): string {
  const { text } = table;
  const cells = table.values(row).map((place) => {
    if (!place) return '';
    const kind = kindOf(text, place);
    if (kind === 'string') return quoted(decode(text, place), true);
    const raw = text.slice(place.start, place.end);
    return raw === 'null' ? '' : quoted(raw, false);
  });
  return `${cells.join(',')}\r\n`;
}

/** A cell of CSV. Words that a spreadsheet would run as a formula get an apostrophe in front; numbers stay as they are. */
function quoted(text: string, words: boolean): string {
  const safe = words && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
