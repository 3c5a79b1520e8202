/** The entries of a shelf, and the search in them. */
import type { IconView } from '../../ipc/types';

export interface Entry<T> {
  id: string;
  label: string;
  title: string | null;
  testid: string;
  item: T;
  /** What kind it is, where a list holds several kinds. */
  kind?: string;
  icon?: IconView | null;
  /** Something to notice about it, in words. */
  mark?: string | null;
}

/** How much of a description is searched; the rest of a very long one says little more. */
const SEARCHED = 2000;

/** What is searched of each entry, made once for a list. */
export function searched(entries: Entry<{ description: string | null }>[]): string[] {
  return entries.map(({ label, title, item }) =>
    `${label}\n${title ?? ''}\n${item.description?.slice(0, SEARCHED) ?? ''}`.toLowerCase(),
  );
}

/** The entries in which every word stands; those that have them in their name come first, else the order is the server's. */
export function search<T>(entries: Entry<T>[], texts: string[], search: string): Entry<T>[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  const named: Entry<T>[] = [];
  const others: Entry<T>[] = [];
  entries.forEach((entry, at) => {
    const text = texts[at] ?? '';
    if (!words.every((word) => text.includes(word))) return;
    const name = text.slice(0, text.indexOf('\n', entry.label.length + 1));
    (words.every((word) => name.includes(word)) ? named : others).push(entry);
  });
  return [...named, ...others];
}
