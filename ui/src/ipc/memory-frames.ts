/** The twin's frames: a talk that grows with each call. */
import { MemoryKept } from './memory-kept';
import type { FrameFilter, FrameKind, FrameLine, FrameView, TrafficView } from './types';

interface Said {
  line: FrameLine;
  text: string;
}

export class MemoryFrames extends MemoryKept {
  #said = new Map<string, Said[]>();
  #oldest = new Map<string, number>();

  /** Keeps a frame of a server's; whoever watches is told by the caller. */
  say(server: string, sent: boolean, kind: FrameKind, method: string | null, id: string | null, text: string) {
    const frames = this.#of(server);
    const line = { seq: frames.length + 1, at: Date.now(), sent, kind, method, id, bytes: text.length };
    this.#said.set(server, [...frames, { line, text }]);
  }
  /** Lets frames before one give way. */
  drop(server: string, before: number) {
    this.#oldest.set(server, before);
  }
  protected traffic(): TrafficView[] {
    return [...this.#said].map(([server, frames]) => ({
      server,
      oldest: this.#oldest.get(server) ?? 1,
      newest: frames.length,
    }));
  }
  #of(server: string): Said[] {
    return this.#said.get(server) ?? [];
  }
  #kept(server: string, seq: number): Said | null {
    return seq >= (this.#oldest.get(server) ?? 1) ? (this.#of(server)[seq - 1] ?? null) : null;
  }

  async frameNumbers(server: string, { words, sent }: FrameFilter, after: number): Promise<Float64Array> {
    const wanted = words.toLowerCase();
    const frames = this.#of(server).filter(
      ({ line, text }) =>
        line.seq > after &&
        this.#kept(server, line.seq) &&
        (sent === null || line.sent === sent) &&
        text.toLowerCase().includes(wanted),
    );
    return Float64Array.from(frames, ({ line }) => line.seq);
  }
  async frameLines(server: string, seqs: number[]): Promise<(FrameLine | null)[]> {
    return seqs.map((seq) => this.#kept(server, seq)?.line ?? null);
  }
  async frame(server: string, seq: number): Promise<FrameView> {
    const said = this.#kept(server, seq);
    if (!said) throw { code: 'notFound', message: `there is no frame number ${seq} any more` };
    const { line, text } = said;
    return { line, text, kept: text.length, shown: text.length, readable: true };
  }
  async saveFrame(server: string, seq: number): Promise<boolean> {
    this.saved.push({ name: `frame-${seq}.json`, content: (await this.frame(server, seq)).text });
    return true;
  }
}
