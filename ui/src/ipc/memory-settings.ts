/** How the twin changes a setting: the words are the real host's, and of its checks the two that a page shows. */
import type { ServerKey, SettingsKey } from './ipc';
import type { ServerSettings, Settings, Theme } from './types';

const refused = (message: string) => ({ code: 'invalid', message });

function seconds(key: string, value: string): number {
  const read = Number(value);
  if (!Number.isInteger(read) || read < 1 || read > 86_400)
    throw refused(`${key} must be a whole number of seconds from 1 to 86400`);
  return read;
}

export function withServer(settings: ServerSettings, key: ServerKey, value: string): ServerSettings {
  switch (key) {
    case 'era':
      return { ...settings, era: value as ServerSettings['era'] };
    case 'time-limit':
      return { ...settings, timeLimit: value === 'default' ? null : seconds(key, value) };
    case 'log':
      return { ...settings, log: value === 'off' ? null : value };
    case 'roots':
    case 'forms':
    case 'links':
    case 'sampling':
    case 'history':
      return { ...settings, [key]: value === 'on' };
  }
}

export function withApp(settings: Settings, key: SettingsKey, value: string): Settings {
  switch (key) {
    case 'theme':
      return { ...settings, theme: value as Theme };
    case 'language':
      return { ...settings, language: value === 'system' ? null : value };
    case 'time-limit': {
      const timeLimit = seconds(key, value);
      if (timeLimit > settings.longestCall)
        throw refused(
          `the time limit (${timeLimit} s) can't be longer than the longest call (${settings.longestCall} s)`,
        );
      return { ...settings, timeLimit };
    }
    case 'longest-call':
      return { ...settings, longestCall: seconds(key, value) };
    case 'calls-kept':
      return { ...settings, callsKept: Number(value) };
    case 'traffic':
      return { ...settings, traffic: Number(value) };
    case 'history':
    case 'notifications':
      return { ...settings, [key]: value === 'on' };
  }
}
