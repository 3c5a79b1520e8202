/**
 * How dates and numbers are written: the one place, in the language that the person chose, or in the system's. Whatever is
 * drawn with these follows a change at once.
 */
let language = $state.raw<string | undefined>(undefined);

const made = $derived({
  second: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }),
  minute: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
  number: new Intl.NumberFormat(language),
  tenth: new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
});

/** Takes up a BCP 47 tag; null, and one that nobody here speaks, is the system's language. */
export function speak(tag: string | null) {
  language = tag !== null && isKnown(tag) ? tag : undefined;
}

function isKnown(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** A moment in the person's own clock; text that is no time comes back as it is. */
export function moment(at: string | number, seconds = true): string {
  const time = typeof at === 'number' ? at : Date.parse(at);
  return Number.isNaN(time) ? String(at) : (seconds ? made.second : made.minute).format(time);
}

export function number(value: number): string {
  return made.number.format(value);
}

export function duration(ms: number): string {
  return ms < 1000 ? `${number(ms)} ms` : `${made.tenth.format(ms / 1000)} s`;
}

/** How long something has taken by now, to the second. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)} min`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)} h`;
}

/** A number with its word. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

export function bytes(value: number): string {
  if (value < 1024) return count(value, 'byte');
  if (value < 1024 * 1024) return `${number(Math.round(value / 1024))} KB`;
  return `${made.tenth.format(value / 1024 / 1024)} MB`;
}

/** What a language is called, in that language. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
