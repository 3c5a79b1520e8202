/** Small pieces of language: command lines here, times and numbers from `locale`. */

/** A command as one line; whatever a shell would split or read otherwise stands in quotes. */
export function commandLine(command: string, args: string[]): string {
  return [command, ...args]
    .map((part) => (/^[\p{L}\p{N}_@%+=:,./~-]+$/u.test(part) ? part : `'${part.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

export { bytes, count, duration, moment } from './locale.svelte';
