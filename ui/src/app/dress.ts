/** What the settings do to the page as a whole: its colours by the tokens of a theme, and the language of dates and numbers. */
import type { Settings } from '../ipc/types';
import { speak } from '../kit/locale.svelte';

export function dress({ theme, language }: Settings) {
  document.documentElement.dataset.theme = theme;
  speak(language);
}
