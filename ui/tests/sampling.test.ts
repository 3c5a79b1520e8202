/** A model request as a question: shown whole, changed, asked, answered by the model or by hand, and never by accident. */
import { fireEvent } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleRequest } from '../src/ipc/memory-sampling';
import type { AnswerInput, QuestionBody } from '../src/ipc/types';
import { dead, find, get, press, Scene, settle } from './asking';

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
  return scene.open();
});
afterEach(() => scene.close());

const write = (id: string, value: string) => fireEvent.input(get(id), { target: { value } });
const field = (id: string) => get(id) as HTMLTextAreaElement;
const keep = { as: 'keep' } as const;
const local = { url: 'u', host: 'h', model: 'llama3.2', remote: false, encrypted: false };
const result = (text: string, model: string) =>
  `{"role":"assistant","content":{"type":"text","text":${JSON.stringify(text)}},"model":"${model}","stopReason":"endTurn"}`;

describe('a model request', () => {
  it('is shown whole, names the endpoint, and lets nothing out by itself', async () => {
    await scene.ask(sampleRequest);
    await settle(600);
    expect(get('question').textContent).toContain('wants an answer of a model');
    expect(field('sample-text-system').value).toContain('short, plain summaries');
    expect(field('sample-text-0.0').value).toContain('The loom was moved');
    expect(get('sample-endpoint').textContent).toContain('llama3.2');
    expect(get('sample-endpoint').textContent).toContain('stays on this computer');
    expect(find('sample-remote')).toBeNull();
    expect(document.activeElement).toBe(get('sample-refuse'));
    expect(dead('sample-once') && dead('sample-session')).toBe(true);
    expect(scene.ipc.edits).toEqual([]);
    await fireEvent.click(get('sample-refuse'));
    expect(scene.ipc.answers).toEqual([{ kind: 'sample', choice: 'refuse', result: null }]);
  });

  it('marks an endpoint elsewhere, and says where none is', async () => {
    const endpoint = { ...local, host: 'models.example.org', remote: true };
    await scene.ask({ ...sampleRequest, endpoint });
    expect(get('sample-remote').textContent).toBe('Remote');
    expect(get('sample-endpoint').textContent).toContain('unencrypted: others on the way can read it');
    await fireEvent.click(get('sample-refuse'));
    await scene.ask({ ...sampleRequest, endpoint: null });
    expect(get('sample-endpoint').textContent).toContain('No model endpoint is on');
    expect(find('sample-ask')).toBeNull();
    expect(find('sample-session')).toBeNull();
  });

  it('goes to the model as it was changed, after the pause and a press only', async () => {
    await scene.ask(sampleRequest);
    await press('sample-ask');
    expect(scene.ipc.edits).toEqual([]);
    await settle(600);
    await write('sample-text-0.0', 'Only the first note.');
    await fireEvent.click(get('sample-drop-system'));
    await fireEvent.click(get('sample-limits'));
    await write('sample-tokens', '201');
    await settle(600);
    await press('sample-ask');
    expect(scene.ipc.edits).toEqual([]);
    expect(get('question').textContent).toContain('from 1 to 200 tokens');
    await write('sample-tokens', '50');
    await settle(600);
    await press('sample-ask');
    await settle(10);
    expect(scene.ipc.edits).toEqual([
      {
        messages: [[{ as: 'text', text: 'Only the first note.' }]],
        systemPrompt: { as: 'drop' },
        maxTokens: 50,
        temperature: '0.30',
        stopSequences: null,
      },
    ]);
  });

  it('leaves what nobody touched as the server wrote it', async () => {
    await scene.ask(sampleRequest);
    await settle(600);
    await write('sample-text-0.0', 'x');
    await write('sample-text-0.0', field('sample-text-0.0').defaultValue || sampleText());
    await settle(600);
    await press('sample-ask');
    await settle(10);
    expect(scene.ipc.edits[0]).toMatchObject({ messages: [[keep]], systemPrompt: keep });
  });

  it('shows the answer to be changed, and sends it as it was last seen', async () => {
    await scene.ask(sampleRequest);
    await settle(600);
    await press('sample-ask');
    await settle(10);
    expect(field('sample-answer').value).toContain('north room');
    expect(dead('sample-once')).toBe(true);
    expect(scene.ipc.answers).toEqual([]);
    await settle(600);
    await write('sample-answer', 'It moved.');
    await settle(600);
    await fireEvent.click(get('question-exact-toggle'));
    await settle();
    expect(get('question-exact').textContent).toBe(result('It moved.', 'llama3.2'));
    await press('sample-session');
    expect(scene.ipc.answers).toEqual([{ kind: 'sample', choice: 'session', result: result('It moved.', 'llama3.2') }]);
  });

  it('is answered by hand under a name, with or without an endpoint', async () => {
    await scene.ask({ ...sampleRequest, endpoint: null });
    await settle(600);
    await press('sample-hand');
    expect(dead('sample-once')).toBe(true);
    await write('sample-answer', 'By me.');
    await write('sample-name', 'ada');
    await settle(600);
    await press('sample-once');
    expect(scene.ipc.answers).toEqual([{ kind: 'sample', choice: 'once', result: result('By me.', 'ada') }]);
  });

  it('says why the endpoint failed, and can be asked again or stopped', async () => {
    await scene.ask({ ...sampleRequest, draft: { state: 'failed', message: 'the endpoint can’t be reached' } });
    await settle(600);
    expect(get('sample-failed').textContent).toContain('can’t be reached');
    scene.ipc.pace = 100;
    await press('sample-ask');
    await settle(10);
    expect(get('sample-state').textContent).toContain('Asking llama3.2');
    await fireEvent.click(get('sample-stop'));
    await settle(10);
    expect(find('sample-stop')).toBeNull();
    expect(find('sample-failed')).toBeNull();
  });

  it('is refused with Esc, and "never" needs a press that was meant', async () => {
    await scene.ask(sampleRequest);
    await press('sample-never');
    expect(scene.ipc.answers).toEqual([]);
    await fireEvent.keyDown(get('sample-refuse'), { key: 'Escape' });
    await scene.ask(sampleRequest);
    await settle(600);
    await press('sample-never');
    const sample = (choice: 'refuse' | 'never') => ({ kind: 'sample', choice, result: null });
    expect(scene.ipc.answers).toEqual([sample('refuse'), sample('never')]);
  });

  it('keeps what was typed when the host tells the question anew', async () => {
    await scene.ask(sampleRequest);
    await settle(600);
    await write('sample-text-0.0', 'Mine.');
    await press('sample-ask');
    await settle(700);
    expect(field('sample-text-0.0').value).toBe('Mine.');
  });
});

describe('a model request on a sheet', () => {
  const sheet = () => scene.ask({ kind: 'sheet', parts: [scene.roots(), sampleRequest, scene.form()] } as QuestionBody);

  it('ends the call where it is refused, and says so', async () => {
    await sheet();
    await fireEvent.click(get('sheet-roots-shareNone'));
    expect(get('sheet-words').textContent).toContain('no answer of a model, so the call ends');
    await fireEvent.click(get('sheet-sample-never'));
    await settle(600);
    await press('sheet-send');
    const parts: AnswerInput[] = [
      { kind: 'roots', choice: 'refuse', folders: [] },
      { kind: 'sample', choice: 'never', result: null },
      { kind: 'form', action: 'cancel', content: null },
    ];
    expect(scene.ipc.answers).toEqual([{ kind: 'sheet', parts }]);
  });

  it('asks the model for its own part and sends all of it in one answer', async () => {
    vi.spyOn(scene.ipc, 'askModel');
    await sheet();
    await fireEvent.click(get('sheet-roots-shareNone'));
    await fireEvent.click(get('sheet-form-decline'));
    expect((get('sheet-sample-once') as HTMLInputElement).disabled).toBe(true);
    await settle(600);
    await press('sample-ask');
    await settle(600);
    expect(scene.ipc.askModel).toHaveBeenCalledWith(expect.any(Number), 1, expect.anything());
    await fireEvent.click(get('sheet-sample-once'));
    await settle(600);
    await press('sheet-send');
    expect(scene.ipc.answers[0]).toMatchObject({
      kind: 'sheet',
      parts: [
        { kind: 'roots', choice: 'shareNone' },
        { kind: 'sample', choice: 'once', result: expect.stringContaining('north room') },
        { kind: 'form', action: 'decline' },
      ],
    });
  });
});

function sampleText(): string {
  const block = sampleRequest.request.messages[0]?.blocks[0]?.block;
  return block?.type === 'text' ? block.text : '';
}
