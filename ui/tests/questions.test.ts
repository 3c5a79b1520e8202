import { fireEvent } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dead, find, get, press, Scene, settle } from './asking';

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
  return scene.open();
});
afterEach(() => scene.close());

describe('a question about folders', () => {
  it('is a dialog with a name and a description, and the focus is on the refusal', async () => {
    await scene.ask(scene.roots());
    await settle(50);
    const dialog = get('question');
    expect(dialog.getAttribute('role')).toBe('dialog');
    expect(document.getElementById(dialog.getAttribute('aria-labelledby') ?? '')?.textContent).toContain(
      'notes asks for',
    );
    expect(document.getElementById(dialog.getAttribute('aria-describedby') ?? '')?.textContent).toContain('advice');
    expect(document.activeElement).toBe(get('refuse'));
  });

  it('is deaf to sharing for half a second, and not to refusing', async () => {
    await scene.ask(scene.roots());
    await settle(400);
    for (const id of ['share-once', 'share-session', 'share-always', 'share-none', 'never'])
      expect(dead(id)).toBe(true);
    await press('share-once');
    expect(scene.ipc.answers).toEqual([]);
    expect(dead('refuse')).toBe(false);
    await settle(600);
    expect(dead('share-once')).toBe(false);
    await press('share-once');
    expect(scene.ipc.answers).toEqual([{ kind: 'roots', choice: 'shareOnce', folders: [1, 2] }]);
  });

  it('is deaf again while the window is not looked at, and half a second after', async () => {
    await scene.ask(scene.roots());
    await settle(600);
    scene.focused = false;
    window.dispatchEvent(new Event('blur'));
    await settle(2000);
    expect(dead('share-once')).toBe(true);
    expect(get('question-sharing').textContent).toBe('Click into this window to share');
    scene.focused = true;
    window.dispatchEvent(new Event('focus'));
    await settle(400);
    expect(dead('share-once')).toBe(true);
    await settle(200);
    expect(dead('share-once')).toBe(false);
    expect(get('question-sharing').textContent).toBe('Share the ticked folders');
  });

  it('is deaf again when what it shows changes', async () => {
    await scene.ask(scene.roots());
    await settle(600);
    scene.ipc.asked[0]?.question.why.push({ call: 9, method: 'tools/call', target: 'other', args: null, round: 1 });
    scene.ipc.changed('questions');
    await settle(10);
    expect(dead('share-once')).toBe(true);
  });

  it('takes Esc as a refusal, once', async () => {
    await scene.ask(scene.roots());
    await settle(50);
    await fireEvent.keyDown(get('refuse'), { key: 'Escape' });
    expect(scene.ipc.answers).toEqual([{ kind: 'roots', choice: 'refuse', folders: [] }]);
  });

  it('does nothing on a click outside', async () => {
    await scene.ask(scene.roots());
    await settle(600);
    await fireEvent.pointerDown(document.body);
    await fireEvent.click(document.body);
    await settle(50);
    expect(find('question')).not.toBeNull();
    expect(scene.ipc.answers).toEqual([]);
  });

  it('lets only ready folders be ticked, and asks the host what exactly would be sent', async () => {
    const preview = vi.spyOn(scene.ipc, 'preview');
    await scene.ask(scene.roots());
    await settle(600);
    expect((get('question-folder-3') as HTMLInputElement).disabled).toBe(true);
    await fireEvent.click(get('question-exact-toggle'));
    await settle(10);
    expect(preview).toHaveBeenLastCalledWith(scene.ipc.asked[0]?.question.id, [1, 2]);
    await fireEvent.click(get('question-folder-1'));
    await settle(10);
    expect(preview).toHaveBeenLastCalledWith(scene.ipc.asked[0]?.question.id, [2]);
    expect(get('question-exact').textContent).toContain('"name":"notes"');
    expect(get('question-exact').textContent).not.toContain('analytical-engine');
  });

  it('has nothing to share when nothing is ticked', async () => {
    await scene.ask(scene.roots());
    await settle(600);
    await fireEvent.click(get('question-folder-1'));
    await fireEvent.click(get('question-folder-2'));
    expect((get('share-once') as HTMLButtonElement).disabled).toBe(true);
    expect((get('share-none') as HTMLButtonElement).disabled).toBe(false);
  });

  it('stays while another comes, and counts it', async () => {
    await scene.ask(scene.roots());
    const first = get('question-server').textContent;
    await scene.ask(scene.roots(), 'search');
    await settle(50);
    expect(get('question-server').textContent).toBe(first);
    expect(get('question').textContent).toContain('1 of 2');
    await fireEvent.click(get('refuse'));
    await settle(50);
    expect(get('question-server').textContent).toBe('search');
    expect(dead('share-once')).toBe(true);
  });

  it('closes with a note when nobody waits for it any more', async () => {
    await scene.ask(scene.roots());
    await settle(50);
    scene.ipc.asked[0]?.settle(null);
    await settle(50);
    expect(find('question')).toBeNull();
    expect(scene.notes).toHaveLength(1);
  });

  it('closes with a note when the answer comes too late', async () => {
    await scene.ask(scene.roots());
    await settle(50);
    vi.spyOn(scene.ipc, 'answer').mockRejectedValue({ code: 'gone', message: 'the question is no longer open' });
    await fireEvent.click(get('refuse'));
    await settle(50);
    expect(find('question')).toBeNull();
    expect(scene.notes).toHaveLength(1);
  });

  it('stays and says why when an answer could not be kept', async () => {
    await scene.ask(scene.roots());
    await settle(600);
    vi.spyOn(scene.ipc, 'answer').mockRejectedValue({ code: 'storage', message: 'the disk is full' });
    await press('share-always');
    await settle(50);
    expect(get('question').textContent).toContain('the disk is full');
  });
});

describe('the other questions', () => {
  it('starts a command only after half a second, and Esc does not start it', async () => {
    await scene.ask({ kind: 'trust', previous: null }, 'git-history');
    await settle(50);
    expect(document.activeElement).toBe(get('trust-refuse'));
    await press('trust-start');
    expect(scene.ipc.answers).toEqual([]);
    await fireEvent.keyDown(get('trust-refuse'), { key: 'Escape' });
    expect(scene.ipc.answers).toEqual([{ kind: 'trust', start: false }]);
  });

  it('sends a form as JSON text', async () => {
    await scene.ask(scene.form());
    await settle(600);
    await press('form-accept');
    expect(get('form-error').textContent).toBeTruthy();
    await fireEvent.input(get('form-field-title'), { target: { value: 'Loom' } });
    await press('form-accept');
    const content =
      '{"title":"Loom","reply":"ada@example.org","number":9007199254740993,"pinned":true,"shelf":"work","tags":["draft"]}';
    expect(scene.ipc.answers).toEqual([{ kind: 'form', action: 'accept', content }]);
  });

  it('shows what the host finds wrong, and keeps what was typed', async () => {
    await scene.ask(scene.form());
    await settle(600);
    await fireEvent.input(get('form-field-title'), { target: { value: 'bad' } });
    await press('form-accept');
    await settle(50);
    expect(get('form-error').textContent).toContain('Title: not this word');
    expect((get('form-field-title') as HTMLInputElement).value).toBe('bad');
  });

  it('takes Esc on a form as cancel', async () => {
    await scene.ask(scene.form());
    await settle(50);
    await fireEvent.keyDown(get('form-field-title'), { key: 'Escape' });
    expect(scene.ipc.answers).toEqual([{ kind: 'form', action: 'cancel', content: null }]);
  });
});
