/** The typed form of a server, and the input that it means. */
import type { ServerInput } from '../../ipc/types';

export interface Draft {
  name: string;
  command: string;
  args: string;
  env: string;
  cwd: string;
}

/** An argument may be anything but a line end, so spaces at its ends stay; empty lines are none. */
export function readDraft(draft: Draft): { input: ServerInput | null; problems: Partial<Record<keyof Draft, string>> } {
  const problems: Partial<Record<keyof Draft, string>> = {};
  const lines = (text: string) => text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const name = draft.name.trim();
  const command = draft.command.trim();
  if (!name) problems.name = 'A server needs a name.';
  if (!command) problems.command = 'A server needs a command.';
  const env: [string, string][] = [];
  for (const line of lines(draft.env)) {
    const sign = line.indexOf('=');
    if (sign < 1) problems.env = `“${line.trim()}” is not NAME=value.`;
    else env.push([line.slice(0, sign).trim(), line.slice(sign + 1)]);
  }
  const input = { name, command, args: lines(draft.args), env, cwd: draft.cwd.trim() || null };
  return { input: Object.keys(problems).length ? null : input, problems };
}
