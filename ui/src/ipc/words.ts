/** What the host's values are called on the screen; one place, so that a thing has one word. */
import type { Code, ConnectionView, DecidedBy, Ending, Health, LinkWarning, Outcome, Trust } from './types';

export function healthWords(health: Health): { badge: string; title: string } | null {
  switch (health.state) {
    case 'ready':
      return null;
    case 'missing':
      return { badge: 'Missing', title: 'Nothing stands at this path now.' };
    case 'notAFolder':
      return { badge: 'Not a folder', title: 'Something that is neither a folder nor a file stands at this path.' };
    case 'unreadable':
      return { badge: 'Unreadable', title: `It is there and can't be read: ${health.reason}` };
  }
}

export function stateWord(connection: ConnectionView): string {
  switch (connection.state) {
    case 'idle':
      return 'Not connected';
    case 'starting':
      return 'Starting';
    case 'ready':
      return 'Ready';
    case 'failed':
      return 'Failed';
    case 'stopping':
      return 'Stopping';
  }
}

export const trustWords: Record<Trust, { badge: string; title: string }> = {
  trusted: { badge: 'Unchanged', title: 'Its definition is the one you allowed.' },
  new: { badge: 'New', title: 'You have not allowed this definition yet.' },
  changed: { badge: 'Changed', title: 'Its definition is not the one you allowed.' },
};

/** The same for a server that asks: what counts there is whether it asked before. */
export const askerWords: Record<Trust, string> = {
  trusted: 'It asked before, and what it runs is unchanged.',
  new: 'It has not asked before.',
  changed: 'Another definition of this name asked before; what it runs has changed.',
};

export const outcomeWords: Record<Outcome, string> = {
  shared: 'Shared',
  sharedNone: 'Shared no folders',
  refused: 'Not shared',
  notOffered: 'Not offered',
  formSent: 'Form sent',
  formRefused: 'Form not sent',
  linkOpened: 'Page opened',
  linkRefused: 'Page not opened',
  sampled: 'Answer of a model sent',
  sampleRefused: 'No answer of a model',
  modelAsked: 'Model asked',
  abandoned: 'Abandoned',
  expired: 'Server stopped waiting',
};

export const endingWords: Record<Ending, { badge: string; tone: 'plain' | 'good' | 'warn' | 'bad' }> = {
  done: { badge: 'Done', tone: 'good' },
  toolError: { badge: "The tool's error", tone: 'bad' },
  declined: { badge: 'Declined', tone: 'plain' },
  failed: { badge: 'Failed', tone: 'bad' },
  cancelled: { badge: 'Cancelled', tone: 'plain' },
  abandoned: { badge: 'Abandoned', tone: 'warn' },
};

export function decidedWords(by: DecidedBy): string {
  if (by.by === 'rule') return "Gatehouse's rule";
  if (by.by === 'grants') return 'A remembered decision';
  if (by.remembered === 'always') return 'You, remembered';
  return by.remembered === 'session' ? 'You, until quit' : 'You';
}

export const codeWords: Record<Code, string> = {
  notFound: 'Not found',
  invalid: 'Not valid',
  exists: 'Already there',
  conflict: 'Changed meanwhile',
  noPicker: 'No folder picker',
  gone: 'No longer open',
  notTrusted: 'Not started',
  startFailed: 'Did not start',
  serverError: "The server's error",
  badReply: 'Unreadable answer',
  timedOut: 'No answer in time',
  closed: 'Connection ended',
  busy: 'Too much at once',
  cancelled: 'Cancelled',
  protocol: 'Broke the protocol',
  storage: 'Could not be stored',
  notInThisEra: 'Not offered in this revision',
  forgot: 'The server forgot the call',
};

export const linkWords: Record<LinkWarning, string> = {
  notEncrypted: 'The connection is not encrypted: others on the way can read and change it.',
  userInfo: 'What stands before the @ is a user name, not where it leads.',
  lookAlike: 'The host is written in letters that can look like others.',
  bareAddress: 'It leads to a number, not to a name.',
  thisMachine: 'It leads to this computer.',
  port: 'It names a port of its own.',
};
