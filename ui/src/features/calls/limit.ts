/** A time limit for one call, as it is typed: seconds, with a point or a comma. */

/** Null where nothing is typed: the server's limit counts. Undefined where it is no time. */
export function limitOf(typed: string): number | null | undefined {
  const text = typed.trim().replace(',', '.');
  if (text === '') return null;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  return seconds >= 0.001 && seconds <= 86_400 ? seconds : undefined;
}
