/**
 * Which open question is shown. Questions come whole from Rust; this remembers only which one the person is looking at, so
 * that a new one never takes its place, and which were answered a moment ago.
 */
import { asProblem, type Ipc, type Problem } from '../../ipc/ipc';
import type { AnswerInput, QuestionView } from '../../ipc/types';

export class QuestionDesk {
  #questions = $state.raw<QuestionView[]>([]);
  #answered = $state.raw<number[]>([]);
  #shownId = $state<number | null>(null);

  /** True while an answer is on its way. */
  busy = $state(false);
  /** Why the last answer to the shown question was not taken. */
  problem = $state.raw<Problem | null>(null);

  readonly open = $derived(this.#questions.filter((question) => !this.#answered.includes(question.id)));
  readonly shown = $derived(this.open.find((question) => question.id === this.#shownId) ?? null);

  constructor(
    private ipc: Pick<Ipc, 'answer'>,
    private onnote: (message: string) => void,
  ) {}

  apply(questions: QuestionView[]) {
    const before = this.shown;
    const ids = questions.map((question) => question.id);
    this.#questions = questions;
    this.#answered = this.#answered.filter((id) => ids.includes(id));
    if (before && !ids.includes(before.id) && !this.busy) this.onnote(withdrawn(before));
    this.#next();
  }

  async answer(answer: AnswerInput): Promise<void> {
    const question = this.shown;
    if (!question || this.busy) return;
    this.busy = true;
    this.problem = null;
    let closed = true;
    try {
      await this.ipc.answer(question.id, answer);
    } catch (error) {
      const problem = asProblem(error);
      closed = problem.code === 'gone';
      if (closed) this.onnote(withdrawn(question));
      else this.problem = problem;
    } finally {
      this.busy = false;
    }
    if (closed) this.#answered = [...this.#answered, question.id];
    this.#next();
  }

  #next() {
    if (this.shown || this.busy) return;
    this.#shownId = this.open[0]?.id ?? null;
    this.problem = null;
  }
}

function withdrawn(question: QuestionView): string {
  return `The question of ${question.server} is no longer open: it was withdrawn, or settled elsewhere. The record says what came of it.`;
}
