/** Questions that are put aside, refused together, or that a server soon forgets. */
import { fireEvent, render } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import WaitingBar from '../src/features/questions/WaitingBar.svelte';
import { dead, find, get, Scene, settle } from './asking';

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
  return scene.open();
});
afterEach(() => scene.close());

describe('a question that is put aside', () => {
  it('is not answered, and is found again', async () => {
    await scene.ask(scene.roots());
    await fireEvent.click(get('question-later'));
    await settle(50);
    expect(find('question')).toBeNull();
    expect(scene.ipc.answers).toEqual([]);
    expect(scene.desk.waiting).toHaveLength(1);
    scene.desk.takeUp();
    await settle(50);
    expect(get('question-server').textContent).toBe('notes');
    expect(scene.desk.waiting).toEqual([]);
    expect(dead('share-once')).toBe(true);
  });

  it('does not keep a new one from coming up', async () => {
    await scene.ask(scene.roots());
    await fireEvent.click(get('question-later'));
    await scene.ask(scene.roots(), 'search');
    expect(get('question-server').textContent).toBe('search');
    expect(get('question').textContent).not.toContain('1 of');
    await fireEvent.click(get('refuse'));
    await settle(50);
    expect(find('question')).toBeNull();
    expect(scene.desk.waiting).toHaveLength(1);
  });

  it('is said to be gone when nobody waits for it any more', async () => {
    await scene.ask(scene.roots());
    await fireEvent.click(get('question-later'));
    scene.ipc.asked[0]?.settle(null);
    await settle(50);
    expect(scene.desk.waiting).toEqual([]);
    expect(scene.notes).toHaveLength(1);
  });

  it('is counted where it can be opened', async () => {
    const onopen = vi.fn();
    render(WaitingBar, { number: 2, onopen });
    expect(get('questions-waiting').textContent).toContain('2 questions wait');
    await fireEvent.click(get('questions-waiting'));
    expect(onopen).toHaveBeenCalledOnce();
  });
});

describe('several questions of one server', () => {
  it('are refused together, those put aside too, and no others', async () => {
    await scene.ask(scene.roots());
    expect(find('refuse-all')).toBeNull();
    await fireEvent.click(get('question-later'));
    await scene.ask(scene.roots());
    await scene.ask(scene.roots(), 'search');
    await fireEvent.click(get('refuse-all'));
    await settle(50);
    expect(get('question-server').textContent).toBe('search');
    expect(scene.desk.waiting).toEqual([]);
    expect(scene.ipc.asked).toHaveLength(1);
    expect(scene.ipc.answers).toEqual([]);
    expect(scene.notes).toEqual([]);
  });
});

describe('what the server waits for', () => {
  it('is counted down, and the pause is not begun anew by that', async () => {
    await scene.ask(scene.roots());
    const asked = scene.ipc.asked[0];
    if (!asked) throw new Error('it was asked');
    asked.question.expiresAt = Date.now() + 30_000;
    scene.ipc.changed('questions');
    await settle(10);
    expect(get('question-expires').textContent).toContain('30 seconds more');
    await settle(2000);
    expect(get('question-expires').textContent).toContain('28 seconds more');
    expect(dead('share-once')).toBe(false);
    await settle(30_000);
    expect(get('question-expires').textContent).toContain('may have stopped waiting');
  });
});
