/** The lines of a JSON tree: what is open, in the order it is seen. Children are pulled when their parent is opened. */
import { asProblem } from '../../ipc/ipc';
import type { NodesView, NodeView } from '../../ipc/types';
import { number } from '../../kit/words';

export interface TreeLine {
  /** None for a line that stands for more children than were pulled. */
  node: NodeView | null;
  /** A member's key or an item's place; none for the whole. */
  key: string | number | null;
  depth: number;
  parent: TreeLine | null;
  /** Its place among its siblings, from 1. */
  nth: number;
  open: boolean;
  /** Where a line for more goes on. */
  next: number | null;
}

export class Tree {
  lines = $state.raw<TreeLine[]>([]);
  problem = $state('');
  #pulling: TreeLine[] = [];

  constructor(readonly pull: (at: number | null, from: number | null) => Promise<NodesView>) {}

  /** Pulls the whole and what is open from the start: its children, and theirs where all of it is small. */
  async begin() {
    const { nodes } = await this.pull(null, null);
    const node = nodes[0];
    if (!node) return;
    this.lines = [{ node, key: null, depth: 0, parent: null, nth: 1, open: false, next: null }];
    await this.toggle(0);
    if (node.bytes > 3000) return;
    for (let at = 1; at < this.lines.length && this.lines.length < 60; at++) {
      if ((this.lines[at]?.depth ?? 9) < 4) await this.toggle(at);
    }
  }

  opens({ node }: TreeLine): boolean {
    return !node || ((node.kind === 'object' || node.kind === 'array') && node.count !== 0);
  }

  /** Opens a closed line, closes an open one; a line that stands for more gives place to them. */
  async toggle(at: number) {
    const line = this.lines[at];
    if (!line || !this.opens(line) || this.#pulling.includes(line)) return;
    if (line.open) {
      let end = at + 1;
      while ((this.lines[end]?.depth ?? 0) > line.depth) end++;
      this.#put(line, at, end, [{ ...line, open: false }]);
      return;
    }
    this.#pulling.push(line);
    try {
      const parent = line.node ? { ...line, open: true } : (line.parent as TreeLine);
      const pulled = await this.pull(parent.node?.at ?? null, line.next);
      const children = this.#children(parent, pulled, line.node ? 1 : line.nth);
      const now = this.lines.indexOf(line);
      if (now >= 0) this.#put(line, now, now + 1, line.node ? [parent, ...children] : children);
      this.problem = '';
    } catch (error) {
      this.problem = asProblem(error).message;
    } finally {
      this.#pulling = this.#pulling.filter((one) => one !== line);
    }
  }
  #children(parent: TreeLine, { nodes, next }: NodesView, from: number): TreeLine[] {
    const depth = parent.depth + 1;
    const lines: TreeLine[] = nodes.map((node, index) => ({
      node,
      key: node.key ?? from - 1 + index,
      depth,
      parent,
      nth: from + index,
      open: false,
      next: null,
    }));
    const more = { node: null, key: null, depth, parent, nth: from + nodes.length, open: false, next };
    return next === null ? lines : [...lines, more];
  }
  /** A line that takes another's place is the parent of its children too. */
  #put(line: TreeLine, from: number, to: number, lines: TreeLine[]) {
    const after = this.lines.slice(to);
    const now = lines[0];
    if (line.node && now) for (const one of after) if (one.parent === line) one.parent = now;
    this.lines = [...this.lines.slice(0, from), ...lines, ...after];
  }

  value({ node }: TreeLine): string {
    if (!node) return 'Show more';
    if (node.kind === 'string') return `"${node.brief}"`;
    if (node.kind !== 'object' && node.kind !== 'array') return node.brief;
    const [first, last] = node.kind === 'object' ? '{}' : '[]';
    if (node.count === 0) return `${first}${last}`;
    return `${first}…${last} ${node.count ?? `${number(Math.round(node.bytes / 1024))} KB`}`;
  }
  /** Where a value stands, as JSONPath writes it. */
  path(line: TreeLine): string {
    const keys: (string | number)[] = [];
    for (let one: TreeLine | null = line; one; one = one.parent) if (one.key !== null) keys.unshift(one.key);
    return keys.reduce<string>((path, key) => {
      if (typeof key === 'number') return `${path}[${key}]`;
      return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
    }, '$');
  }
}
