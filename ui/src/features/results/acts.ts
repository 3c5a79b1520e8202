/** What a result's views ask of the app. */
import type { Ipc } from '../../ipc/ipc';
import type { CallEnd } from '../../ipc/types';
import type { Judged } from '../../kit/link';

/** The kept results of the host, piece by piece. */
export type Kept = Pick<
  Ipc,
  | 'resultBlocks'
  | 'resultRows'
  | 'resultFind'
  | 'resultText'
  | 'resultBytes'
  | 'resultNodes'
  | 'resultValue'
  | 'resultTable'
  | 'resultTableRows'
  | 'resultTableText'
  | 'saveResult'
  | 'saveTable'
>;

export interface Acts {
  /** Opens an address in the person's browser; the gate showed it before. */
  open: (url: string) => Promise<void>;
  /** Reads an address without following it; rejects where it can't be opened. */
  judge: (url: string) => Promise<Judged>;
  /** Reads a resource of the same server. */
  read: (uri: string) => Promise<CallEnd>;
  kept: Kept;
}
