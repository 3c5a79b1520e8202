/** How well a text fits what was typed: every word of it somewhere, its letters in order. */

export interface Entry {
  id: string;
  /** What it is called. */
  label: string;
  /** What kind of thing it is, and where it belongs: shown beside the label, and searched too. */
  hint: string;
  /** The keys that do the same, as they are shown. */
  keys?: string;
  /** The element to look at afterwards, as a CSS selector; the page where there is none. */
  focus?: string;
  run: () => void;
}

/** A hit at the very beginning, at the beginning of a word, inside of one, or letter by letter. */
const START = 100;
const WORD = 70;
const INSIDE = 40;
const LETTERS = 10;

const boundary = (sign: string | undefined) => sign === undefined || !/[\p{L}\p{N}]/u.test(sign);

/** Null where a word does not fit. Both are in small letters. */
function fit(word: string, text: string): number | null {
  let at = text.indexOf(word);
  if (at === 0) return START;
  let inside: number | null = null;
  while (at >= 0) {
    if (boundary(text[at - 1])) return WORD - Math.min(at, 20) / 2;
    inside ??= INSIDE - Math.min(at, 20) / 2;
    at = text.indexOf(word, at + 1);
  }
  if (inside !== null) return inside;
  if (word.length < 2) return null;
  let from = -1;
  let gaps = 0;
  for (const letter of word) {
    const next = text.indexOf(letter, from + 1);
    if (next < 0) return null;
    if (from >= 0) gaps += next - from - 1;
    from = next;
  }
  return gaps > word.length * 3 ? null : LETTERS - Math.min(gaps, 9);
}

/** Higher is better; null where it does not fit. */
export function score(typed: string, entry: Pick<Entry, 'label' | 'hint'>): number | null {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const [label, hint] = [entry.label.toLowerCase(), entry.hint.toLowerCase()];
  let sum = 0;
  for (const word of words) {
    const inLabel = fit(word, label);
    const inHint = fit(word, hint);
    if (inLabel === null && inHint === null) return null;
    sum += Math.max(inLabel ?? 0, (inHint ?? 0) / 2);
  }
  return sum - Math.min(label.length, 60) / 100;
}

/** The entries that fit, best first; all of them, as they come, where nothing was typed. */
export function search<T extends Pick<Entry, 'label' | 'hint'>>(entries: T[], typed: string): T[] {
  if (!typed.trim()) return entries;
  return entries
    .flatMap((entry) => {
      const points = score(typed, entry);
      return points === null ? [] : [{ entry, points }];
    })
    .sort((a, b) => b.points - a.points)
    .map(({ entry }) => entry);
}
