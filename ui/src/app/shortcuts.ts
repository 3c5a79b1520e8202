/** The keys that count everywhere in the window; `features/keys` lists them. None of them counts while a question is open. */
import { kept } from '../kit/kept';
import type { House } from './house.svelte';

/** Is somebody writing? Then letters are letters, and undo is the field's. */
function writes(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  return !!target?.closest?.('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]');
}

/** A bare “?” opens the list of keys, unless the person switched that off. */
export const markOn = (): boolean => kept('question-mark') !== 'off';

/** Moves the focus between the list at the left and the page. */
export function otherPart(back: boolean) {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-part]')];
  const at = parts.findIndex((part) => part.contains(document.activeElement));
  const to = parts[(at + (back ? parts.length - 1 : 1) + parts.length) % parts.length];
  const first = to?.dataset['part'] === 'list' ? to.querySelector<HTMLElement>('[aria-current], button') : to;
  first?.focus();
}

const zooms: Record<string, number> = { '+': 1, '=': 1, '-': -1, '−': -1, _: -1 };

/** True where the key was one of them. */
export function shortcut(event: KeyboardEvent, house: House): boolean {
  const command = (event.ctrlKey || event.metaKey) && !event.altKey;
  const key = event.key.toLowerCase();
  // Reading larger text is nobody's answer: it works over a question too.
  if (command && key in zooms) house.zoom.by(zooms[key] ?? 0);
  else if (command && key === '0') house.zoom.reset();
  else if (house.desk.shown || house.adding) return false;
  else if (command && key === 'k' && !event.shiftKey) {
    if (house.over === 'palette') house.over = null;
    else house.openOver('palette');
  } else if (house.over) return false;
  else if (command && key === ',' && !event.shiftKey) house.go({ at: 'settings' });
  else if (key === 'f1') house.openOver('keys');
  else if (key === 'f6') otherPart(event.shiftKey);
  else if (key === '?' && !command && !event.altKey && markOn() && !writes(event)) house.openOver('keys');
  else if (command && key === 'z' && !event.shiftKey && !writes(event) && house.undo.done !== null) house.undo.take();
  else if (command && !event.shiftKey && /^[1-9]$/.test(key)) return place(Number(key), house);
  else return false;
  return true;
}

/** A server by its place in the list, 8 the remembered decisions, 9 the record. */
function place(digit: number, house: House): boolean {
  const server = house.mirror.servers?.[digit - 1];
  if (digit === 9) house.go({ at: 'record' });
  else if (digit === 8) house.go({ at: 'grants' });
  else if (server) house.go({ at: 'server', name: server.name });
  else return false;
  return true;
}
