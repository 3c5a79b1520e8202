/** A model request and an endpoint for the twin. No model is in it. */
import type { DraftView, EndpointSettings, EndpointState, QuestionBody, QuestionView } from './types';

export const endpointOff: EndpointState = {
  settings: { on: false, kind: 'openAi', url: '', model: '', mapping: [], maxTokens: 4096, seconds: 120 },
  leads: null,
  key: 'none',
};

export function withEndpoint(state: EndpointState, settings: EndpointSettings): EndpointState {
  const host = /^https?:\/\/([^/]+)/.exec(settings.url)?.[1];
  const remote = !/^(localhost|127\.|\[::1\])/.test(host ?? '');
  const encrypted = settings.url.startsWith('https:');
  const leads = host ? { url: settings.url, host, model: settings.model, remote, encrypted } : null;
  return { ...state, settings, leads };
}

export const sampleRequest: Extract<QuestionBody, { kind: 'sample' }> = {
  kind: 'sample',
  request: {
    messages: [
      {
        byModel: false,
        blocks: [
          {
            block: {
              type: 'text',
              text: 'Summarise these notes in three sentences for somebody who was not there:\n\nThe loom was moved to the north room. Ada wants it back before spring, since the light is better in the south.',
            },
            cut: 0,
          },
        ],
      },
    ],
    systemPrompt: 'You write short, plain summaries. You add nothing that is not in the notes.',
    maxTokens: 200,
    temperature: '0.30',
    stopSequences: [],
    hints: ['claude-3-sonnet'],
    priorities: [{ what: 'speed', weight: 0.8 }],
    ignored: ['What comes of servers is not added to the request.'],
    exact:
      '{"messages":[{"role":"user","content":{"type":"text","text":"Summarise these notes …"}}],"maxTokens":200,"temperature":0.30}',
  },
  endpoint: {
    url: 'http://localhost:11434',
    host: 'localhost:11434',
    model: 'llama3.2',
    remote: false,
    encrypted: false,
  },
  draft: { state: 'empty' },
};

export const modelAnswer = (serial: number): DraftView => ({
  state: 'answered',
  serial,
  text: 'The loom now stands in the north room. Ada would like it back in the south before spring. The light is better there.',
  model: 'llama3.2',
  stopReason: 'endTurn',
});

export function withDraft(question: QuestionView, part: number, draft: DraftView): QuestionView {
  const set = (body: QuestionBody): QuestionBody => (body.kind === 'sample' ? { ...body, draft } : body);
  const { body } = question;
  const changed =
    body.kind === 'sheet' ? { ...body, parts: body.parts.map((one, at) => (at === part ? set(one) : one)) } : set(body);
  return { ...question, body: changed };
}
