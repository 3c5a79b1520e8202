/** What the person makes of a model request and has not sent: changes for the model, and the answer. */
import type {
  AnswerInput,
  DraftView,
  QuestionBody,
  SampleChoice,
  SampleEdit,
  SampleView,
  TextEdit,
} from '../../ipc/types';

export type SampleBody = Extract<QuestionBody, { kind: 'sample' }>;

/** Who an answer by hand names as its model. */
const BY_HAND = 'human';

export interface Said {
  text: string;
  model: string;
  stopReason: string | null;
}

export class SampleDraft {
  /** Used where the choice is sent later, with other parts. */
  choice = $state<SampleChoice>('refuse');
  /** Whether the answer is the model's or the person's own. */
  byHand = $state(false);
  /** What the person wrote. */
  text = $state('');
  name = $state(BY_HAND);
  /** What the person made of the model's answer, and of which. */
  #changed = $state<{ serial: number; text: string } | null>(null);
  /** Changed texts and what is left out, by place; everything else stands as the server wrote it. */
  #texts = $state<Record<string, string>>({});
  #dropped = $state<Record<string, boolean>>({});
  maxTokens = $state('');
  temperature = $state('');
  stops = $state('');
  #request: SampleView;

  constructor(request: SampleView) {
    this.#request = request;
    this.maxTokens = String(request.maxTokens);
    this.temperature = request.temperature ?? '';
    this.stops = request.stopSequences.join('\n');
  }

  /** The text at a place as it would be asked. */
  textAt(place: string, shown: string): string {
    return this.#texts[place] ?? shown;
  }
  write(place: string, text: string) {
    this.#texts[place] = text;
  }
  isDropped(place: string): boolean {
    return this.#dropped[place] ?? false;
  }
  drop(place: string, out: boolean) {
    this.#dropped[place] = out;
  }
  #edit(place: string, shown: string | null): TextEdit {
    const text = this.#texts[place];
    if (this.#dropped[place]) return { as: 'drop' };
    return text === undefined || text === shown ? { as: 'keep' } : { as: 'text', text };
  }

  /** What is wrong with the limits, in words. */
  readonly wrong = $derived.by(() => {
    const most = this.#request.maxTokens;
    const tokens = Number(this.maxTokens);
    if (!/^\d+$/.test(this.maxTokens.trim()) || tokens < 1 || tokens > most)
      return `The answer may have from 1 to ${most} tokens.`;
    const temperature = this.temperature.trim();
    if (temperature && !/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(temperature)) return 'The temperature is not a number.';
    return null;
  });
  readonly edited = $derived(Object.keys(this.#texts).length + Object.keys(this.#dropped).length > 0);

  /** The request as it is put to the model. */
  edit(): SampleEdit {
    const request = this.#request;
    const stops = this.stops.split('\n').filter((stop) => stop !== '');
    const same = this.stops === request.stopSequences.join('\n');
    return {
      messages: request.messages.map((message, at) =>
        message.blocks.map(({ block }, part) => this.#edit(`${at}.${part}`, block.type === 'text' ? block.text : null)),
      ),
      systemPrompt: this.#edit('system', request.systemPrompt),
      maxTokens: Math.min(Number(this.maxTokens), Number.MAX_SAFE_INTEGER),
      temperature: this.temperature.trim() || null,
      stopSequences: same ? null : stops,
    };
  }

  /** The answer as it stands now; null where there is none. */
  said(draft: DraftView): Said | null {
    if (this.byHand) return this.text.trim() ? { text: this.text, model: this.name, stopReason: 'endTurn' } : null;
    if (draft.state !== 'answered') return null;
    const text = this.#changed?.serial === draft.serial ? this.#changed.text : draft.text;
    return { text, model: draft.model, stopReason: draft.stopReason };
  }
  change(draft: DraftView, text: string) {
    if (this.byHand) this.text = text;
    else if (draft.state === 'answered') this.#changed = { serial: draft.serial, text };
  }

  /** The very text that is sent; null where there is no answer. */
  result(draft: DraftView): string | null {
    const said = this.said(draft);
    if (!said) return null;
    const content = { type: 'text', text: said.text };
    const stop = said.stopReason === null ? {} : { stopReason: said.stopReason };
    return JSON.stringify({ role: 'assistant', content, model: said.model.trim(), ...stop });
  }
  answer(draft: DraftView, choice: SampleChoice = this.choice): AnswerInput {
    return { kind: 'sample', choice, result: gives(choice) ? this.result(draft) : null };
  }
}

/** Does a choice send an answer? Every other one ends the call. */
export function gives(choice: SampleChoice): boolean {
  return choice === 'once' || choice === 'session';
}

/** What a person is told of where the endpoint is. */
export function whereabouts(endpoint: { host: string; remote: boolean; encrypted: boolean }): string {
  if (!endpoint.remote) return `The request stays on this computer (${endpoint.host}).`;
  return endpoint.encrypted
    ? `The request leaves this computer for ${endpoint.host}.`
    : `The request leaves this computer for ${endpoint.host}, unencrypted: others on the way can read it.`;
}
