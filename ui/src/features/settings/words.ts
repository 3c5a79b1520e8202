/** What each setting is called, and the one line that says what it changes. The keys are those of the command. */
import type { ServerKey, SettingsKey } from '../../ipc/ipc';
import type { EraChoice, Theme } from '../../ipc/types';

export interface Words {
  label: string;
  line: string;
}

export const appWords: Record<SettingsKey, Words> = {
  theme: { label: 'Theme', line: 'The colours of this window. Servers notice nothing of it.' },
  language: {
    label: 'Dates and numbers',
    line: 'How this window writes them. What goes to servers keeps every digit as you wrote it.',
  },
  'time-limit': {
    label: 'Time limit of a call',
    line: 'A server that gives neither an answer nor progress for so long is told to stop. A server can have its own limit.',
  },
  'longest-call': {
    label: 'Longest call',
    line: 'No call lasts longer, whatever progress it reports. The time that you take for an answer does not count.',
  },
  history: {
    label: 'Keep calls',
    line: 'Arguments and results stay on this machine for later. Servers are not told. The record of what left is kept in any case.',
  },
  'calls-kept': { label: 'Calls to keep', line: 'The oldest give way. Servers are not told.' },
  traffic: {
    label: 'Traffic to keep',
    line: 'Messages to and from each server, kept in memory until Gatehouse ends. Servers are not told.',
  },
  notifications: {
    label: 'Desktop notifications',
    line: 'Say that a question waits while another window is in front. Neither the server is named nor what it asks.',
  },
};

export const serverWords: Record<ServerKey, Words> = {
  era: {
    label: 'Protocol',
    line: 'Automatic asks the server at each start. Modern and legacy speak that one only and do not fall back.',
  },
  roots: {
    label: 'Folders',
    line: 'Whether the server is told that it may ask for your folders. You decide each time it does.',
  },
  forms: { label: 'Forms', line: 'Whether it is told that it may ask you to fill a form in the middle of a call.' },
  links: { label: 'Links', line: 'Whether it is told that it may ask you to open a page in your browser.' },
  sampling: {
    label: 'Model answers',
    line: 'Whether it is told that it may ask for the answer of a language model. Off until you switch it on.',
  },
  'time-limit': {
    label: 'Time limit of a call',
    line: 'It is told to stop when it gives neither an answer nor progress for so long.',
  },
  log: { label: 'Log messages', line: 'From which level on it is asked to send them. They stand under Log.' },
  history: { label: 'Keep calls', line: 'Whether its calls stay on this machine for later. It is not told.' },
};

export const themes: { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'contrast', label: 'High contrast' },
];

export const eras: { value: EraChoice; label: string }[] = [
  { value: 'automatic', label: 'Automatic' },
  { value: 'modern', label: 'Modern' },
  { value: 'legacy', label: 'Legacy' },
];

export const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** Languages that are offered; another one can be set by the command. */
export const languages = [
  'ar',
  'cs',
  'da',
  'de',
  'en-GB',
  'en-US',
  'es',
  'fi',
  'fr',
  'he',
  'hi',
  'it',
  'ja',
  'ko',
  'nl',
  'pl',
  'pt-BR',
  'ru',
  'sv',
  'tr',
  'uk',
  'zh-Hans',
  'zh-Hant',
];
