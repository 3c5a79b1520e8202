/** What every kind of question gets. */
import type { Problem } from '../../ipc/ipc';
import type { AnswerInput, QuestionBody, QuestionView, SampleEdit } from '../../ipc/types';

/** What stands beside the title of every question. */
export interface Beside {
  question: QuestionView;
  /** Such as "1 of 3", when others wait. */
  count: string | null;
  busy: boolean;
  onlater: () => void;
  /** Null where this is the only question of its server. */
  onrefuseall: (() => void) | null;
}

export interface Asked<K extends QuestionBody['kind']> {
  question: QuestionView;
  body: Extract<QuestionBody, { kind: K }>;
  beside: Beside;
  /** False while a click could have been meant for something else. */
  armed: boolean;
  /** False while the window has no focus, which is why nothing is armed. */
  looked: boolean;
  busy: boolean;
  problem: Problem | null;
  onanswer: (answer: AnswerInput) => void;
}

/** Makes the exact JSON for ticked folders. */
export type Preview = (folders: number[]) => Promise<string>;
/** Opens an address in the person's browser. */
export type Open = (url: string) => Promise<void>;
/** Puts a part of the question to the model endpoint, or ends that. */
export interface Model {
  ask: (part: number, edit: SampleEdit) => Promise<void>;
  stop: (part: number) => Promise<void>;
}
