/** The lines of a JSON tree: what is open, in the order it is seen. Children are read when their parent is opened. */
import { number } from '../../kit/locale.svelte';
import { brief, Children, type Kind, kindOf, oneLine, type Slice, whole } from '../../kit/slices';

export interface TreeLine extends Slice {
  kind: Kind | 'more';
  /** A member's key or an item's place; none for the whole. */
  key: string | number | null;
  depth: number;
  parent: TreeLine | null;
  /** Its place among its siblings, from 1. */
  nth: number;
  open: boolean;
}

/** So many children at a time; the rest behind a line of its own. */
const PORTION = 5000;
const SHORT = 200;

export class Tree {
  lines: TreeLine[];
  #children = new WeakMap<TreeLine, Children>();

  constructor(readonly text: string) {
    const root: TreeLine = { ...whole(text), kind: 'word', key: null, depth: 0, parent: null, nth: 1, open: false };
    root.kind = kindOf(text, root);
    this.lines = [root];
    if (this.opens(root)) this.toggle(0);
    this.#openSmall();
  }

  opens(line: TreeLine): boolean {
    const holds = (line.kind === 'object' || line.kind === 'array') && line.end - line.start > 2;
    return holds || line.kind === 'more';
  }

  /** Opens a closed line, closes an open one; a line that stands for more gives place to them. */
  toggle(at: number) {
    const line = this.lines[at];
    if (!line || !this.opens(line)) return;
    if (line.open) {
      let end = at + 1;
      while ((this.lines[end]?.depth ?? 0) > line.depth) end++;
      line.open = false;
      this.#put(at + 1, end, []);
    } else if (line.kind === 'more') {
      this.#put(at, at + 1, this.#portion(line.parent as TreeLine, line.nth - 1));
    } else {
      line.open = true;
      this.#put(at + 1, at + 1, this.#portion(line, 0));
    }
  }
  #put(from: number, to: number, lines: TreeLine[]) {
    this.lines = [...this.lines.slice(0, from), ...lines, ...this.lines.slice(to)];
  }
  #portion(parent: TreeLine, from: number): TreeLine[] {
    const children = this.#children.get(parent) ?? new Children(this.text, parent);
    this.#children.set(parent, children);
    children.read(from + PORTION);
    const lines: TreeLine[] = [];
    const to = Math.min(from + PORTION, children.length);
    for (let index = from; index < to; index++) {
      const place = children.place(index);
      const key = parent.kind === 'object' ? (children.keys[index] as string) : index;
      const kind = kindOf(this.text, place);
      lines.push({ ...place, kind, key, depth: parent.depth + 1, parent, nth: index + 1, open: false });
    }
    if (to < children.length || !children.done) {
      const { start, end } = parent;
      lines.push({ start, end, kind: 'more', key: null, depth: parent.depth + 1, parent, nth: to + 1, open: false });
    }
    return lines;
  }
  /** What is small is open from the start. */
  #openSmall() {
    if (this.text.length > 3000) return;
    for (let at = 1; at < this.lines.length && this.lines.length < 60; at++) {
      const line = this.lines[at] as TreeLine;
      if (line.depth < 4 && line.kind !== 'more') this.toggle(at);
    }
  }

  /** How many siblings it has with itself; -1 where not all were counted. */
  of(line: TreeLine): number {
    if (!line.parent) return 1;
    const children = this.#children.get(line.parent);
    return children?.done ? children.length : -1;
  }
  value(line: TreeLine): string {
    if (line.kind === 'more') return 'Show more';
    if (line.kind === 'string') return JSON.stringify(brief(this.text, line, SHORT)).replaceAll('\\"', '"');
    if (line.kind !== 'object' && line.kind !== 'array') return brief(this.text, line, SHORT);
    const [first, last] = line.kind === 'object' ? '{}' : '[]';
    const size = line.end - line.start;
    if (size > 20_000) return `${first}…${last} ${number(Math.round(size / 1024))} KB`;
    const many = new Children(this.text, line).read().length;
    if (many === 0) return `${first}${last}`;
    return `${first}…${last} ${many}`;
  }
  name(line: TreeLine): string {
    return line.key === null ? '' : oneLine(String(line.key));
  }
  /** Where a value stands, as JSONPath writes it. */
  path(line: TreeLine): string {
    const keys: (string | number)[] = [];
    for (let one: TreeLine | null = line; one; one = one.parent) if (one.key !== null) keys.unshift(one.key);
    return keys.reduce<string>((path, key) => {
      if (typeof key === 'number') return `${path}[${key}]`;
      return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(oneLine(key))}]`;
    }, '$');
  }
}
