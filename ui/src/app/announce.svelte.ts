/**
 * What is said to somebody who does not look: a question that came, a call that ended, how far a long one is. Drawn in a live
 * region. Progress is said at a humane rate: nobody listens to a number a second.
 */
import type { CallView, QuestionView } from '../ipc/types';

/** Between two words on the progress of a call, in milliseconds. */
export const PACE_MS = 10_000;

const ends: Partial<Record<CallView['state']['state'], string>> = {
  done: 'has its result',
  toolError: 'ended with an error of the tool',
  declined: 'ended, since you declined',
  failed: 'failed',
  cancelled: 'was cancelled',
};

export class Announcer {
  said = $state('');
  #questions: number[] | null = null;
  #running: number[] | null = null;
  #progress: Record<number, number> = {};

  say(words: string) {
    // The same words twice are two announcements; a no-break space makes them differ.
    this.said = words === this.said ? `${words}\u00a0` : words;
  }

  questions(questions: QuestionView[]) {
    const before = this.#questions;
    this.#questions = questions.map(({ id }) => id);
    // Those that were there before this page are shown by it as it comes up.
    const fresh = before === null ? [] : questions.filter(({ id }) => !before.includes(id));
    const [first] = fresh;
    if (first)
      this.say(fresh.length > 1 ? `${fresh.length} questions arrived` : `A question of ${first.server} arrived`);
  }

  calls(calls: CallView[]) {
    const under = (call: CallView) => call.state.state === 'running' || call.state.state === 'waiting';
    const before = this.#running;
    this.#running = calls.filter(under).map(({ id }) => id);
    for (const call of calls) {
      const end = ends[call.state.state];
      if (before?.includes(call.id) && end) this.say(`${call.target} ${end}`);
      else if (under(call) && call.progress) this.#far(call);
    }
  }

  #far({ id, target, startedAt, progress }: CallView) {
    const last = this.#progress[id] ?? startedAt;
    if (!progress || Date.now() - last < PACE_MS) return;
    this.#progress[id] = Date.now();
    const { value, total, fraction } = progress;
    this.say(
      `${target}: ${fraction === null ? `${value}${total === null ? '' : ` of ${total}`}` : `${Math.round(fraction * 100)} percent`}`,
    );
  }
}
