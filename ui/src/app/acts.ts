/** What the views of a result may do: each a click of the person's. */
import type { Acts } from '../features/results/acts';
import { linkWords } from '../ipc/words';
import type { House } from './house.svelte';

export function actsFor(house: House, server: string): Acts {
  return {
    open: (url) => house.ipc.openLink(url),
    judge: async (url) => {
      const link = await house.ipc.judgeLink(url);
      return { ...link, warnings: link.warnings.map((warning) => linkWords[warning]) };
    },
    read: (uri) => house.ipc.readResource(server, uri),
    kept: house.ipc,
  };
}
