/** What changed between two definitions, line by line. */
import type { DefinitionView } from '../../ipc/types';

export interface Line {
  text: string;
  mark: 'same' | 'added' | 'removed';
}
export interface Part {
  label: string;
  lines: Line[];
  /** Said where there are no lines. */
  none: string;
}

/** Lines of the longest common run stay; the rest is taken out or put in. Bounded: over-long lists are two blocks. */
export function compare(before: string[], after: string[]): Line[] {
  const marked = (lines: string[], mark: Line['mark']) => lines.map((text): Line => ({ text, mark }));
  if (before.length * after.length > 40_000) return [...marked(before, 'removed'), ...marked(after, 'added')];
  const common: number[][] = Array.from({ length: before.length + 1 }, () =>
    new Array<number>(after.length + 1).fill(0),
  );
  const at = (row: number, column: number) => common[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const same = before[row] === after[column];
      const best = same ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
      (common[row] as number[])[column] = best;
    }
  }
  const lines: Line[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      lines.push({ text: before[row++] as string, mark: 'same' });
      column++;
    } else if (row < before.length && (column >= after.length || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ text: before[row++] as string, mark: 'removed' });
    } else lines.push({ text: after[column++] as string, mark: 'added' });
  }
  return lines;
}

/** Every part of a definition in full; marked against the one that was allowed before, where there was one. */
export function parts(now: DefinitionView, previous: DefinitionView | null): Part[] {
  const env = (definition: DefinitionView) => definition.env.map(({ key, value }) => `${key}=${value}`);
  const cwd = (definition: DefinitionView) => (definition.cwd === null ? [] : [definition.cwd]);
  const part = (label: string, none: string, lines: (definition: DefinitionView) => string[]): Part => ({
    label,
    none,
    lines: compare(previous ? lines(previous) : lines(now), lines(now)),
  });
  return [
    part('Command', 'None', (definition) => [definition.command]),
    part('Arguments', 'None', (definition) => definition.args),
    part('Environment', 'Nothing added', env),
    part('Working directory', 'An empty folder of Gatehouse’s own', cwd),
  ];
}
