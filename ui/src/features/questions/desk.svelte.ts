/**
 * Which open question is shown. Questions come whole from Rust; this remembers only which one the person is looking at, so
 * that a new one never takes its place, which were put aside, and which were answered a moment ago.
 */
import { asProblem, type Ipc, type Problem } from '../../ipc/ipc';
import type { AnswerInput, QuestionView } from '../../ipc/types';

export class QuestionDesk {
  #questions = $state.raw<QuestionView[]>([]);
  #answered = $state.raw<number[]>([]);
  #aside = $state.raw<number[]>([]);
  #shownId = $state<number | null>(null);

  /** True while an answer is on its way. */
  busy = $state(false);
  /** Why the last answer to the shown question was not taken. */
  problem = $state.raw<Problem | null>(null);

  readonly open = $derived(this.#questions.filter((question) => !this.#answered.includes(question.id)));
  readonly shown = $derived(this.open.find((question) => question.id === this.#shownId) ?? null);
  /** Put aside: they wait until the person comes back to them. */
  readonly waiting = $derived(this.open.filter((question) => this.#aside.includes(question.id)));
  /** Shown one after the other. */
  readonly line = $derived(this.open.filter((question) => !this.#aside.includes(question.id)));
  readonly count = $derived(this.line.length > 1 ? `1 of ${this.line.length}` : null);
  /** Has the server of the shown question more of them? */
  readonly several = $derived(this.open.filter((question) => question.server === this.shown?.server).length > 1);

  constructor(
    private ipc: Pick<Ipc, 'answer' | 'dismissQuestions'>,
    private onnote: (message: string) => void,
  ) {}

  apply(questions: QuestionView[]) {
    const ids = questions.map((question) => question.id);
    const known = [...(this.shown ? [this.shown] : []), ...this.waiting];
    this.#questions = questions;
    this.#answered = this.#answered.filter((id) => ids.includes(id));
    this.#aside = this.#aside.filter((id) => ids.includes(id));
    for (const question of known) if (!ids.includes(question.id) && !this.busy) this.onnote(withdrawn(question));
    this.#next();
  }

  async answer(answer: AnswerInput): Promise<void> {
    const question = this.shown;
    if (!question || this.busy) return;
    await this.#settle([question], () => this.ipc.answer(question.id, answer));
  }

  /** Refuses every open question of the server that asks, those put aside too. */
  async refuseAll(): Promise<void> {
    const server = this.shown?.server;
    if (server === undefined || this.busy) return;
    const all = this.open.filter((question) => question.server === server);
    await this.#settle(all, () => this.ipc.dismissQuestions(server));
  }

  /** Puts the shown question aside without an answer. */
  later() {
    if (!this.shown || this.busy) return;
    this.#aside = [...this.#aside, this.shown.id];
    this.#shownId = null;
    this.#next();
  }

  /** Takes up again what was put aside. */
  takeUp() {
    this.#aside = [];
    this.#next();
  }

  async #settle(questions: QuestionView[], send: () => Promise<void>) {
    this.busy = true;
    this.problem = null;
    let closed = true;
    try {
      await send();
    } catch (error) {
      const problem = asProblem(error);
      closed = problem.code === 'gone';
      if (closed) questions.forEach((question) => this.onnote(withdrawn(question)));
      else this.problem = problem;
    } finally {
      this.busy = false;
    }
    if (closed) this.#answered = [...this.#answered, ...questions.map((question) => question.id)];
    this.#next();
  }

  #next() {
    if (this.shown || this.busy) return;
    this.#shownId = this.line[0]?.id ?? null;
    this.problem = null;
  }
}

function withdrawn(question: QuestionView): string {
  return `The question of ${question.server} is no longer open: it was withdrawn, or settled elsewhere. The record says what came of it.`;
}
