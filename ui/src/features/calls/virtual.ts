/** Which rows of a long list are drawn, where all are of one height. */
export interface Window {
  from: number;
  /** The first that is not drawn. */
  to: number;
  /** The room that the rows above and below take. */
  above: number;
  below: number;
}

/** Rows drawn beyond each edge, so that scrolling shows no gap. */
const SPARE = 12;

export function windowOf(count: number, row: number, scrolled: number, height: number): Window {
  const first = Math.floor(scrolled / row) - SPARE;
  const from = Math.max(0, Math.min(first, count - 1));
  const to = Math.min(count, Math.max(from, Math.ceil((scrolled + height) / row) + SPARE));
  return { from, to, above: from * row, below: (count - to) * row };
}

/** The scroll position that brings a row into view with the least movement. */
export function scrollTo(index: number, row: number, scrolled: number, height: number): number {
  if (index * row < scrolled) return index * row;
  return (index + 1) * row > scrolled + height ? (index + 1) * row - height : scrolled;
}

/** Where a key leads in a list; null for a key that leads nowhere. */
export function step(key: string, at: number, count: number, page: number): number | null {
  const last = count - 1;
  const next: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at < 0 ? last : at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: last,
  };
  const to = next[key];
  return to === undefined || count === 0 ? null : Math.max(0, Math.min(last, to));
}
