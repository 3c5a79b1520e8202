/** The keys of the window, each told once: here, in the list that a person opens, and in the README. */
export interface KeyLine {
  keys: string[];
  does: string;
}

const command = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘' : 'Ctrl';

export const KEYS: { about: string; lines: KeyLine[] }[] = [
  {
    about: 'Anywhere',
    lines: [
      { keys: [`${command} K`], does: 'Go to a page, server, tool, prompt, resource or folder' },
      { keys: [`${command} 1`, '…', `${command} 7`], does: 'The servers, in the order of the list' },
      { keys: [`${command} 8`, `${command} 9`], does: 'Remembered decisions; the record' },
      { keys: [`${command} ,`], does: 'Settings' },
      { keys: [`${command} +`, `${command} −`, `${command} 0`], does: 'Larger, smaller, the usual size' },
      { keys: [`${command} Z`], does: 'Undo what was removed, renamed or moved, outside of a field' },
      { keys: ['F6', 'Shift F6'], does: 'To the next part of the window, or back' },
      { keys: ['F1', '?'], does: 'This list' },
    ],
  },
  {
    about: 'In lists and tabs',
    lines: [
      { keys: ['↑', '↓'], does: 'Move in a list; in the list of tools, Enter opens one' },
      { keys: ['←', '→'], does: 'Move between the tabs of a server' },
      { keys: ['F2'], does: 'Rename a folder' },
      { keys: ['Alt ↑', 'Alt ↓'], does: 'Move a folder' },
    ],
  },
  {
    about: 'In a question',
    lines: [
      { keys: ['Esc'], does: 'No. Nothing is shared' },
      { keys: ['Tab', 'Space', 'Enter'], does: 'Move, tick, choose. What shares is dead for half a second' },
    ],
  },
];
