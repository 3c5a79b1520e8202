/** Small pieces of language: command lines, times, counts. */

/** A command as one line; whatever a shell would split or read otherwise stands in quotes. */
export function commandLine(command: string, args: string[]): string {
  return [command, ...args]
    .map((part) => (/^[\p{L}\p{N}_@%+=:,./~-]+$/u.test(part) ? part : `'${part.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

const minute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A moment in the person's own clock; text that is no time comes back as it is. */
export function moment(at: string, seconds = true): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : (seconds ? day : minute).format(date);
}

export function duration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

export function bytes(number: number): string {
  if (number < 1024) return count(number, 'byte');
  if (number < 1024 * 1024) return `${Math.round(number / 1024)} KB`;
  return `${(number / 1024 / 1024).toFixed(1)} MB`;
}
