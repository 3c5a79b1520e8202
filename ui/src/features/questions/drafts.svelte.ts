/** What the person entered into one part of a question and has not sent, and the answer that it makes. */
import { asProblem } from '../../ipc/ipc';
import type { AnswerInput, FieldView, FormAction, QuestionBody, RootChoice, RootsChoice } from '../../ipc/types';
import { content, initial, type Value } from './form';
import { gives, SampleDraft } from './sampling.svelte';

export class RootsDraft {
  /** Used where the choice is sent later, with other parts. */
  choice = $state<RootsChoice>('refuse');
  /** What the person changed; everything else stands as the question says. */
  #changed = $state<Record<number, boolean>>({});

  tick(folder: number, on: boolean) {
    this.#changed[folder] = on;
  }
  ticked(folders: RootChoice[]): number[] {
    return folders
      .filter((folder) => folder.health.state === 'ready' && (this.#changed[folder.id] ?? folder.ticked))
      .map((folder) => folder.id);
  }
  answer(folders: RootChoice[], choice: RootsChoice = this.choice): AnswerInput {
    return { kind: 'roots', choice, folders: shares(choice) ? this.ticked(folders) : [] };
  }
}

export class FormDraft {
  action = $state<FormAction>('accept');
  values = $state<Record<string, Value>>({});
  problems = $state.raw<Record<string, string>>({});
  readonly wrong = $derived(Object.keys(this.problems).length > 0);

  constructor(fields: FieldView[], before: string | null = null) {
    this.values = initial(fields, before);
  }
  set(key: string, value: Value) {
    this.values[key] = value;
    this.problems = Object.fromEntries(Object.entries(this.problems).filter(([one]) => one !== key));
  }
  /** Null where the fields are not filled as they must be; `problems` says where. */
  answer(fields: FieldView[], action: FormAction = this.action): AnswerInput | null {
    if (action !== 'accept') return { kind: 'form', action, content: null };
    const built = content(fields, this.values);
    this.problems = built.problems;
    return built.content === null ? null : { kind: 'form', action, content: built.content };
  }
}

export class LinkDraft {
  action = $state<FormAction>('cancel');
  opened = $state(false);
  problem = $state<string | null>(null);

  async open(url: string, open: (url: string) => Promise<void>) {
    this.problem = null;
    try {
      await open(url);
      this.opened = true;
    } catch (error) {
      this.problem = asProblem(error).message;
    }
  }
  /** What was not opened here can't be done. */
  answer(action: FormAction = this.action): AnswerInput {
    return { kind: 'link', action: action === 'accept' && !this.opened ? 'cancel' : action };
  }
}

export type Draft = RootsDraft | FormDraft | LinkDraft | SampleDraft | null;

/** A part of a sheet is never a sheet, nor a command to start. */
export function draftOf(body: QuestionBody): Draft {
  if (body.kind === 'roots') return new RootsDraft();
  if (body.kind === 'form') return new FormDraft(body.fields, body.draft);
  if (body.kind === 'sample') return new SampleDraft(body.request);
  return body.kind === 'link' ? new LinkDraft() : null;
}

export function shares(choice: RootsChoice): boolean {
  return choice === 'shareOnce' || choice === 'shareSession' || choice === 'shareAlways';
}

/** Does a choice end the call? */
export function ends(choice: RootsChoice): boolean {
  return choice === 'refuse' || choice === 'never';
}

/** Needs an answer a press that was surely meant? It does where it lets something out, or is remembered. */
export function weighs(answer: AnswerInput): boolean {
  switch (answer.kind) {
    case 'trust':
      return answer.start;
    case 'roots':
      return answer.choice !== 'refuse';
    case 'form':
    case 'link':
      return answer.action === 'accept';
    case 'sample':
      return answer.choice !== 'refuse';
    case 'sheet':
      // A refusal that ends the call lets nothing out; it weighs only where it is remembered.
      return answer.parts.some(refuses) ? answer.parts.some(remembersNo) : answer.parts.some(weighs);
  }
}

/** Does this part of a sheet end the call? */
function refuses(part: AnswerInput): boolean {
  return (part.kind === 'roots' && ends(part.choice)) || (part.kind === 'sample' && !gives(part.choice));
}
function remembersNo(part: AnswerInput): boolean {
  return (part.kind === 'roots' || part.kind === 'sample') && part.choice === 'never';
}
