/** What every kind of question gets. */
import type { Problem } from '../../ipc/ipc';
import type { AnswerInput, QuestionBody, QuestionView } from '../../ipc/types';

export interface Asked<K extends QuestionBody['kind']> {
  question: QuestionView;
  body: Extract<QuestionBody, { kind: K }>;
  /** Such as "1 of 3", when others wait. */
  count: string | null;
  /** False while a click could have been meant for something else. */
  armed: boolean;
  /** False while the window has no focus, which is why nothing is armed. */
  looked: boolean;
  busy: boolean;
  problem: Problem | null;
  onanswer: (answer: AnswerInput) => void;
}
