/** The twin's kept results: what the host gives out piece by piece, cut from values that lie in the page. */
import { Digits, type Json, read, shown, write } from './memory-json';
import type {
  BlockView,
  CellView,
  FarView,
  NodesView,
  NodeView,
  PartView,
  ResultView,
  RowsView,
  SortInput,
  TableForm,
  TableRowView,
  TableView,
} from './types';

interface Held {
  result: ResultView;
  blocks: BlockView[];
  nodes: Json[];
}
type Row = Map<string, Json>;
interface Sorted {
  rows: [number, Row][];
  columns: string[];
}

const gone = { code: 'notFound', message: 'there is no copy of this result any more' };
const none = { code: 'notFound', message: 'there is no such part of this result' };

export class MemoryKept {
  saved: { name: string; content: string }[] = [];
  /** Characters of a text that are handed over at once. */
  inline = 64 * 1024;
  #held: Held[] = [];
  /** The order that was asked for last. */
  #last: (Sorted & { key: string }) | null = null;

  /** Keeps a result and describes it, as the host does. */
  describe(result: ResultView): ResultView {
    const number = this.#held.length;
    const blocks = result.kind === 'prompt' ? result.messages.map(({ content }) => content) : result.content;
    const structured = result.kind === 'tool' ? result.structured : null;
    this.#held.push({ result, blocks, nodes: [structured === null ? null : read(structured)] });
    const far = (part: PartView, bytes: number, whole: boolean): FarView => ({ result: number, part, bytes, whole });
    const short = (text: string, part: PartView) => {
      const end = text.length <= this.inline ? text.length : text.lastIndexOf('\n', this.inline) + 1 || this.inline;
      return { text: text.slice(0, end), far: far(part, text.length, end === text.length) };
    };
    const told = (block: BlockView, nth: number): BlockView => {
      if (block.type === 'text' || block.type === 'unknown')
        return { ...block, ...short(block.text, { of: 'text', block: nth }) };
      const data: PartView = { of: 'data', block: nth };
      if (block.type === 'image' || block.type === 'audio')
        return { ...block, data: '', far: far(data, length(block.data), false) };
      if (block.type === 'link') return block;
      const text = block.text === null ? null : short(block.text, { of: 'text', block: nth });
      return {
        ...block,
        ...(text && { text: text.text, textFar: text.far }),
        ...(block.data !== null && { data: null, dataFar: far(data, length(block.data), false) }),
      };
    };
    const { text: raw, far: rawFar } = short(result.raw, { of: 'whole' });
    if (result.kind === 'prompt') {
      const messages = result.messages.map(({ role, content }, nth) => ({ role, content: told(content, nth) }));
      return { ...result, messages, raw, rawFar };
    }
    const content = result.content.slice(0, 100).map(told);
    const rest = result.content.length - content.length;
    const common = { content, raw, rawFar, ...(rest && { more: rest }) };
    if (result.kind === 'resource' || structured === null) return { ...result, ...common };
    const { text, far: structuredFar } = short(structured, { of: 'structured' });
    return { ...result, ...common, structured: text, structuredFar };
  }
  #of(result: number): Held {
    const held = this.#held[result];
    if (!held) throw gone;
    return held;
  }
  #text(number: number, part: PartView): string {
    const { result, blocks } = this.#of(number);
    if (part.of === 'whole') return result.raw;
    if (part.of === 'structured') return (result.kind === 'tool' && result.structured) || '';
    const block = blocks[part.block];
    if (block && 'text' in block && block.text !== null) return block.text;
    throw none;
  }
  #data(number: number, part: PartView): string {
    const block = part.of === 'data' ? this.#of(number).blocks[part.block] : null;
    if (block && 'data' in block && block.data !== null) return block.data;
    throw none;
  }

  async resultBlocks(result: number, from: number): Promise<BlockView[]> {
    return this.#of(result).blocks.slice(from, from + 100);
  }
  async resultRows(
    result: number,
    part: PartView,
    columns: number,
    first: number,
    last: number,
    reveal: boolean,
  ): Promise<RowsView> {
    const rows = lines(this.#text(result, part), columns);
    const some = rows.slice(first, last).map((row) => (reveal ? shown(row) : row));
    return { count: rows.length, rows: some };
  }
  async resultFind(result: number, part: PartView, columns: number, words: string, from: number) {
    const rows = lines(this.#text(result, part), columns);
    const found = rows.findIndex((row, index) => index >= from && row.includes(words));
    const again = found < 0 ? rows.findIndex((row) => row.includes(words)) : found;
    return again < 0 ? null : again;
  }
  async resultText(result: number, part: PartView, reveal: boolean): Promise<string> {
    const text = this.#text(result, part);
    return reveal ? shown(text) : text;
  }
  async resultBytes(result: number, part: PartView): Promise<Uint8Array<ArrayBuffer>> {
    try {
      return Uint8Array.from(atob(this.#data(result, part)), (sign) => sign.charCodeAt(0));
    } catch {
      throw { code: 'invalid', message: 'the data is not base64' };
    }
  }
  async resultNodes(result: number, at: number | null, from: number | null): Promise<NodesView> {
    const { nodes } = this.#of(result);
    const node = (key: string | null, value: Json): NodeView => {
      const holds = value instanceof Map || Array.isArray(value);
      const brief = holds ? '' : typeof value === 'string' ? value.slice(0, 200) : write(value);
      const size = value instanceof Map ? value.size : Array.isArray(value) ? value.length : 0;
      const cut = typeof value === 'string' && value.length > 200;
      return {
        at: nodes.push(value) - 1,
        kind: kindOf(value),
        key,
        brief: shown(brief) + (cut ? '…' : ''),
        cut,
        bytes: write(value).length,
        count: holds ? size : null,
      };
    };
    if (at === null) return { nodes: [node(null, nodes[0] ?? null)], next: null };
    const value = nodes[at];
    const all: [string | null, Json][] =
      value instanceof Map ? [...value] : Array.isArray(value) ? value.map((item) => [null, item]) : [];
    const end = (from ?? 0) + 1000;
    const some = all.slice(from ?? 0, end).map(([key, item]) => node(key === null ? null : shown(key), item));
    return { nodes: some, next: end < all.length ? end : null };
  }
  async resultValue(result: number, at: number): Promise<string> {
    const value = this.#of(result).nodes[at] ?? null;
    return typeof value === 'string' ? shown(value) : write(value);
  }

  #table(result: number): { key: string | null; others: number; rows: Row[]; columns: string[] } | null {
    const whole = this.#of(result).nodes[0] ?? null;
    const places: [string | null, Json][] = whole instanceof Map ? [...whole] : [[null, whole]];
    const tables = places.filter(
      (place): place is [string | null, Row[]] =>
        Array.isArray(place[1]) && place[1].length > 0 && place[1].every((row) => row instanceof Map),
    );
    const found = tables[0];
    if (!found || tables.length > 1) return null;
    const [key, rows] = found;
    return { key, others: places.length - 1, rows, columns: [...new Set(rows.flatMap((row) => [...row.keys()]))] };
  }
  #sorted(result: number, by: SortInput | null): Sorted {
    const key = JSON.stringify([result, by]);
    if (this.#last?.key !== key) this.#last = { key, ...this.#sort(result, by) };
    return this.#last;
  }
  #sort(result: number, by: SortInput | null): Sorted {
    const table = this.#table(result);
    if (!table) throw none;
    const rows = table.rows.map((row, index): [number, Row] => [index + 1, row]);
    const column = by && table.columns[by.column];
    if (column !== null && column !== undefined)
      rows.sort(([, a], [, b]) => compare(a.get(column), b.get(column)) * (by?.down ? -1 : 1));
    return { rows, columns: table.columns };
  }
  async resultTable(result: number): Promise<TableView | null> {
    const table = this.#table(result);
    if (!table) return null;
    const columns = table.columns.map((name) => ({
      name: shown(name),
      width: Math.max(8, name.length + 3),
      numbers: table.rows.every((row) => row.get(name) instanceof Digits),
    }));
    return { key: table.key, others: table.others, count: table.rows.length, columns, dropped: 0 };
  }
  async resultTableRows(result: number, by: SortInput | null, first: number, last: number): Promise<TableRowView[]> {
    const { rows, columns } = this.#sorted(result, by);
    const cell = (value: Json | undefined): CellView | null =>
      value === undefined ? null : { text: shown(plain(value)), number: value instanceof Digits };
    return rows
      .slice(first, last)
      .map(([nth, row]) => ({ nth, cells: columns.map((column) => cell(row.get(column))) }));
  }
  async resultTableText(result: number, by: SortInput | null, form: TableForm): Promise<string> {
    const { rows, columns } = this.#sorted(result, by);
    if (form === 'json') return write(rows.map(([, row]) => row));
    const line = (cells: string[]) => cells.map((cell) => (/[",\n]/.test(cell) ? JSON.stringify(cell) : cell)).join();
    const cells = rows.map(([, row]) => line(columns.map((column) => plain(row.get(column) ?? ''))));
    return [line(columns), ...cells, ''].join('\r\n');
  }
  async saveText(name: string, content: string): Promise<boolean> {
    this.saved.push({ name, content });
    return true;
  }
  async saveResult(result: number, part: PartView, name: string): Promise<boolean> {
    this.saved.push({ name, content: part.of === 'data' ? this.#data(result, part) : this.#text(result, part) });
    return true;
  }
  async saveTable(result: number, by: SortInput | null, form: TableForm): Promise<boolean> {
    this.saved.push({ name: `table.${form}`, content: await this.resultTableText(result, by, form) });
    return true;
  }
}

const length = (base64: string) => Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
const plain = (value: Json) => (typeof value === 'string' ? value : write(value));

function kindOf(value: Json): NodeView['kind'] {
  if (value instanceof Map) return 'object';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Digits) return 'number';
  return typeof value === 'string' ? 'string' : 'word';
}

function compare(a: Json | undefined, b: Json | undefined): number {
  const [one, other] = [plain(a ?? ''), plain(b ?? '')];
  if (a instanceof Digits && b instanceof Digits)
    return Number(one) - Number(other) || one.length - other.length || (one < other ? -1 : 1);
  return one < other ? -1 : one > other ? 1 : 0;
}

function lines(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => {
    const rows = [];
    for (let at = 0; at === 0 || at < line.length; at += columns) rows.push(line.slice(at, at + columns));
    return rows;
  });
}
