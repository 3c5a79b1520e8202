/** Small pieces of language: command lines here, times and numbers from `locale`. */

/** A command as one line; whatever a shell would split or read otherwise stands in quotes. */
export function commandLine(command: string, args: string[]): string {
  return [command, ...args]
    .map((part) => (/^[\p{L}\p{N}_@%+=:,./~-]+$/u.test(part) ? part : `'${part.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

/** A moment in milliseconds since 1970 as the time of its day, to the millisecond, in the digits that logs use. */
export function timeOfDay(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${parts}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

export { bytes, count, duration, elapsed, moment, number } from './locale.svelte';
