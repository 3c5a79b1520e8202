/**
 * The bytes of a picture or a sound, pulled from the host and shown by an address that only this page knows. They are read by
 * what they are before anything decodes them; what is too large is not pulled.
 */
import { asProblem } from '../../ipc/ipc';
import type { FarView } from '../../ipc/types';
import { bytes as sizeWords } from '../../kit/words';
import type { Kept } from './acts';
import { MOST_DRAWN, type Picture, type Sound } from './media';

type Refusal = Extract<Picture, { drawn: false }> & Extract<Sound, { played: false }>;

export class Bytes<Read extends Picture | Sound> {
  /** What they are; null while they are on their way. */
  read = $state.raw<Read | Refusal | null>(null);
  /** An address that shows them, where they are something that is shown. */
  url = $state('');
  all = $state.raw<Uint8Array<ArrayBuffer> | null>(null);
  /** False where there is nothing that could be saved. */
  usable = $state(true);
  #freed = false;

  constructor(far: FarView | undefined, kept: Kept, read: (bytes: Uint8Array) => Read) {
    void this.#load(far, kept, read);
  }

  async #load(far: FarView | undefined, kept: Kept, read: (bytes: Uint8Array) => Read) {
    const not = (reason: string): Refusal => ({ drawn: false, played: false, reason });
    // What is derived may not change while it is made.
    await Promise.resolve();
    if (!far) return void (this.read = not('Its data is not here.'));
    if (far.bytes > MOST_DRAWN)
      return void (this.read = not(`It is too large to be shown here (${sizeWords(far.bytes)}).`));
    try {
      const bytes = await kept.resultBytes(far.result, far.part);
      const found = read(bytes);
      if (this.#freed) return;
      if ('type' in found) this.url = URL.createObjectURL(new Blob([bytes], { type: found.type }));
      this.all = bytes;
      this.read = found;
    } catch (error) {
      const { code, message } = asProblem(error);
      this.usable = code !== 'invalid';
      this.read = not(code === 'invalid' ? 'Its data is not valid base64.' : message);
    }
  }

  /** Gives the memory back. */
  readonly free = () => {
    this.#freed = true;
    if (this.url) URL.revokeObjectURL(this.url);
  };
}
