/** Pages as questions, and several things on one sheet. */
import { fireEvent } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from '../src/ipc/memory-data';
import type { AnswerInput } from '../src/ipc/types';
import { dead, find, get, press, Scene, settle } from './asking';

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
  return scene.open();
});
afterEach(() => scene.close());

describe('a page that a server asks to have opened', () => {
  it('says where it leads and what is odd about it, and opens nothing by itself', async () => {
    await scene.ask(page);
    await settle(600);
    expect(get('link-host').textContent).toContain('accounts.example.org');
    expect(get('link-url').textContent).toContain('http://ada@accounts.example.org:8080/sign-in?next=notes');
    expect(document.querySelectorAll('[data-testid="link-warning"]')).toHaveLength(3);
    expect(get('link-state').textContent).toContain('fetched nothing');
    expect(document.activeElement).toBe(get('link-cancel'));
    expect(scene.ipc.opened).toEqual([]);
  });

  it('is opened by a press after the pause, again too, and is done only after that', async () => {
    await scene.ask(page);
    await press('link-open');
    expect(scene.ipc.opened).toEqual([]);
    await settle(600);
    expect(dead('link-done')).toBe(true);
    await press('link-done');
    expect(scene.ipc.answers).toEqual([]);
    await press('link-open');
    await settle(10);
    await press('link-open');
    await settle(10);
    expect(scene.ipc.opened).toHaveLength(2);
    await press('link-done');
    expect(scene.ipc.answers).toEqual([{ kind: 'link', action: 'accept' }]);
  });

  it('is not done when no browser answered', async () => {
    vi.spyOn(scene.ipc, 'openLink').mockRejectedValue({ code: 'notFound', message: 'no browser' });
    await scene.ask(page);
    await settle(600);
    await press('link-open');
    await settle(10);
    expect(get('link-state').textContent).toContain('no browser');
    expect(dead('link-done')).toBe(true);
  });

  it('is declined, or cancelled with Esc', async () => {
    await scene.ask(page);
    await fireEvent.click(get('link-decline'));
    await scene.ask(page);
    await fireEvent.keyDown(get('link-cancel'), { key: 'Escape' });
    expect(scene.ipc.answers).toEqual([
      { kind: 'link', action: 'decline' },
      { kind: 'link', action: 'cancel' },
    ]);
  });

  it('says why it can’t be opened, where it can’t', async () => {
    await scene.ask({
      kind: 'link',
      message: 'Look',
      url: 'file:///etc/passwd',
      link: null,
      problem: 'only http and https',
    });
    await settle(600);
    expect(get('link-refusal').textContent).toContain('only http and https');
    expect(get('link-url').textContent).toContain('file:///etc/passwd');
    expect(find('link-open')).toBeNull();
    expect(find('link-done')).toBeNull();
  });
});

describe('a sheet', () => {
  const cancelled: AnswerInput[] = [
    { kind: 'form', action: 'cancel', content: null },
    { kind: 'link', action: 'cancel' },
  ];
  const sheet = () => scene.ask({ kind: 'sheet', parts: [scene.roots(), scene.form(), page] });

  it('begins with a refusal, and says what that means', async () => {
    await sheet();
    expect(get('question').textContent).toContain('needs 3 things for this call');
    expect((get('sheet-roots-refuse') as HTMLInputElement).checked).toBe(true);
    expect(get('sheet-words').textContent).toContain('the call ends and nothing of this is sent');
    expect(document.activeElement).toBe(get('sheet-cancel'));
    expect(get('sheet-cancel').textContent?.trim()).toBe('End the call');
    await settle(600);
    await press('sheet-send');
    expect(scene.ipc.answers, 'what sends has nothing to send').toEqual([]);
    await press('sheet-cancel');
    const refused = { kind: 'roots', choice: 'refuse', folders: [] };
    expect(scene.ipc.answers).toEqual([{ kind: 'sheet', parts: [refused, ...cancelled] }]);
  });

  it('sends every part in its order, when all of it is filled', async () => {
    await sheet();
    await fireEvent.click(get('sheet-roots-shareOnce'));
    await fireEvent.click(get('question-folder-1'));
    await settle(600);
    expect(get('sheet-send').textContent).toBe('Send');
    await press('sheet-send');
    expect(get('form-error').textContent).toContain('not filled');
    expect(scene.ipc.answers).toEqual([]);
    await fireEvent.input(get('form-field-title'), { target: { value: 'Loom' } });
    await press('link-open');
    await settle(10);
    await fireEvent.click(get('sheet-link-accept'));
    await press('sheet-send');
    const content =
      '{"title":"Loom","reply":"ada@example.org","number":9007199254740993,"pinned":true,"shelf":"work","tags":["draft"]}';
    expect(scene.ipc.answers).toEqual([
      {
        kind: 'sheet',
        parts: [
          { kind: 'roots', choice: 'shareOnce', folders: [2] },
          { kind: 'form', action: 'accept', content },
          { kind: 'link', action: 'accept' },
        ],
      },
    ]);
  });

  it('is deaf to sending for half a second, and has nothing to share where nothing is ticked', async () => {
    await sheet();
    await fireEvent.click(get('sheet-roots-shareOnce'));
    await fireEvent.click(get('sheet-form-decline'));
    expect(dead('sheet-send')).toBe(true);
    await press('sheet-send');
    await settle(600);
    await fireEvent.click(get('question-folder-1'));
    await fireEvent.click(get('question-folder-2'));
    expect(dead('sheet-send')).toBe(true);
    expect(get('sheet-words').textContent).toContain('Tick a folder');
    await fireEvent.click(get('sheet-roots-shareNone'));
    await press('sheet-send');
    const [answer] = scene.ipc.answers;
    expect(answer).toEqual({
      kind: 'sheet',
      parts: [
        { kind: 'roots', choice: 'shareNone', folders: [] },
        { kind: 'form', action: 'decline', content: null },
        { kind: 'link', action: 'cancel' },
      ],
    });
  });

  it('takes Esc as a refusal of the folders, or as cancel of every part where there are none', async () => {
    await sheet();
    await fireEvent.click(get('sheet-roots-shareAlways'));
    await fireEvent.keyDown(get('sheet-cancel'), { key: 'Escape' });
    await scene.ask({ kind: 'sheet', parts: [scene.form(), page] });
    await fireEvent.keyDown(get('sheet-cancel'), { key: 'Escape' });
    const refused = { kind: 'roots', choice: 'refuse', folders: [] };
    expect(scene.ipc.answers).toEqual([
      { kind: 'sheet', parts: [refused, ...cancelled] },
      { kind: 'sheet', parts: cancelled },
    ]);
  });
});
