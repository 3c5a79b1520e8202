/** What a server claims of a tool or a resource (`annotations`), in words. Nobody has checked it, and the words must not sound as if. */
import type { ClaimsView } from '../../ipc/types';
import { parse } from '../../kit/json';
import { bytes, moment } from '../../kit/words';

export interface Claim {
  key: string;
  label: string;
  /** What it would mean, were it true. */
  meaning: string;
  tone: 'plain' | 'warn';
}

const CLAIMS: { key: string; on: boolean; claim: Omit<Claim, 'key'> }[] = [
  { key: 'readOnlyHint', on: true, claim: { label: 'only reads', meaning: 'it changes nothing', tone: 'plain' } },
  {
    key: 'readOnlyHint',
    on: false,
    claim: { label: 'changes things', meaning: 'it may change what it works on', tone: 'plain' },
  },
  {
    key: 'destructiveHint',
    on: true,
    claim: { label: 'may destroy', meaning: 'what it changes may be lost', tone: 'warn' },
  },
  { key: 'destructiveHint', on: false, claim: { label: 'only adds', meaning: 'it destroys nothing', tone: 'plain' } },
  {
    key: 'idempotentHint',
    on: true,
    claim: { label: 'safe to repeat', meaning: 'the same call again has no further effect', tone: 'plain' },
  },
  {
    key: 'idempotentHint',
    on: false,
    claim: { label: 'acts each time', meaning: 'the same call again acts again', tone: 'plain' },
  },
  {
    key: 'openWorldHint',
    on: true,
    claim: { label: 'reaches outside', meaning: 'it deals with others, such as the web', tone: 'warn' },
  },
  {
    key: 'openWorldHint',
    on: false,
    claim: { label: 'stays inside', meaning: 'it deals with a closed set of things', tone: 'plain' },
  },
];

export function claimsOf(annotations: string | null): Claim[] {
  if (annotations === null) return [];
  try {
    const said = parse(annotations);
    if (!(said instanceof Map)) return [];
    return CLAIMS.filter(({ key, on }) => said.get(key) === on).map(({ key, claim }) => ({ key, ...claim }));
  } catch {
    return [];
  }
}

const AUDIENCES: Record<string, string> = { user: 'for you', assistant: 'for a model' };

/** What a server claims of a resource, or of what a template yields. */
export function claimsOfResource({ audience, priority, lastModified }: ClaimsView, size: number | null): Claim[] {
  const claims: Claim[] = audience.map((word) => ({
    key: `audience-${word}`,
    label: AUDIENCES[word] ?? `for “${word}”`,
    meaning: 'whom it is meant for',
    tone: 'plain',
  }));
  if (priority !== null) {
    claims.push({
      key: 'priority',
      label: `priority ${priority}`,
      meaning: 'from 0, optional, to 1, needed',
      tone: 'plain',
    });
  }
  if (lastModified !== null) {
    const label = `changed ${moment(lastModified, false)}`;
    claims.push({ key: 'lastModified', label, meaning: `when it changed last: ${lastModified}`, tone: 'plain' });
  }
  if (size !== null) claims.push({ key: 'size', label: bytes(size), meaning: 'how large it is', tone: 'plain' });
  return claims;
}
