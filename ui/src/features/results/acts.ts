/** What a result's views ask of the app. */
import type { CallEnd } from '../../ipc/types';
import type { Judged } from '../../kit/link';

export interface Acts {
  /** Opens an address in the person's browser; the gate showed it before. */
  open: (url: string) => Promise<void>;
  /** Reads an address without following it; rejects where it can't be opened. */
  judge: (url: string) => Promise<Judged>;
  /** True when saved, false when the person thought better of it. */
  saveText: (name: string, text: string) => Promise<boolean>;
  saveBytes: (name: string, base64: string) => Promise<boolean>;
  /** Reads a resource of the same server. */
  read: (uri: string) => Promise<CallEnd>;
}
