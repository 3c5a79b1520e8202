/** What a tool said before, where it says something else now. */
import type { ToolSaid } from '../../ipc/types';
import { pretty } from '../../kit/json';

export interface ChangedPart {
  /** The part, as it stands in a sentence. */
  name: string;
  /** What it said before. */
  before: string;
}

const PARTS: { key: keyof ToolSaid; name: string; json: boolean }[] = [
  { key: 'title', name: 'its title', json: false },
  { key: 'description', name: 'its description', json: false },
  { key: 'inputSchema', name: 'its arguments', json: true },
  { key: 'outputSchema', name: 'its structured content', json: true },
  { key: 'annotations', name: 'what its server claims of it', json: true },
];

export function changedParts(before: ToolSaid, now: ToolSaid): ChangedPart[] {
  return PARTS.filter(({ key }) => before[key] !== now[key]).map(({ key, name, json }) => {
    const text = before[key];
    return { name, before: text === null ? '(nothing)' : json ? pretty(text) : text };
  });
}
