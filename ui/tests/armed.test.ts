/** The pause before a choice can let something out, against whoever types or clicks on without looking. */
import { fireEvent } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dead, find, get, press, Scene, settle, type } from './asking';

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
  return scene.open();
});
afterEach(() => scene.close());

describe('the pause before a press counts', () => {
  it('begins anew with every key and every press while it lasts', async () => {
    await scene.ask(scene.roots());
    await settle(300);
    await fireEvent.keyDown(get('refuse'), { key: 'Tab' });
    await settle(400);
    expect(dead('share-once')).toBe(true);
    await fireEvent.pointerDown(document.body);
    await settle(400);
    expect(dead('share-once')).toBe(true);
    await settle(150);
    expect(dead('share-once')).toBe(false);
  });

  it('never ends while Enter is typed every 60 ms, and nothing is shared', async () => {
    await scene.ask(scene.roots());
    get('share-once').focus();
    for (let typed = 0; typed < 50; typed++) {
      await type('Enter');
      await settle(60);
    }
    expect(scene.ipc.answers).toEqual([]);
    await settle(600);
    await type('Enter');
    expect(scene.ipc.answers).toEqual([{ kind: 'roots', choice: 'shareOnce', folders: [1, 2] }]);
  });

  it('takes no click whose press began before its end', async () => {
    await scene.ask(scene.roots());
    await settle(300);
    await fireEvent.pointerDown(get('share-once'));
    await settle(700);
    expect(dead('share-once')).toBe(false);
    await fireEvent.click(get('share-once'));
    expect(scene.ipc.answers).toEqual([]);
    await press('share-once');
    expect(scene.ipc.answers).toHaveLength(1);
  });

  it('takes no click whose press began on what was shown before', async () => {
    await scene.ask(scene.roots());
    await settle(600);
    await fireEvent.pointerDown(get('share-once'));
    scene.ipc.asked[0]?.question.why.push({ call: 9, method: 'tools/call', target: 'other', args: null, round: 1 });
    scene.ipc.changed('questions');
    await settle(600);
    await fireEvent.click(get('share-once'));
    expect(scene.ipc.answers).toEqual([]);
  });

  it('hears a screen reader, which presses without a pointer', async () => {
    await scene.ask(scene.roots());
    await settle(600);
    await fireEvent.mouseDown(get('share-once'), { detail: 0 });
    await fireEvent.click(get('share-once'));
    expect(scene.ipc.answers).toHaveLength(1);
  });

  it('is deaf to a key that is held: it refuses one question at most, and shares nothing', async () => {
    await scene.ask(scene.roots());
    await scene.ask(scene.roots(), 'search');
    await settle(600);
    await type('Escape');
    await settle(50);
    for (let typed = 0; typed < 30; typed++) {
      await type('Escape', true);
      await settle(30);
    }
    expect(scene.ipc.answers).toHaveLength(1);
    expect(get('question-server').textContent).toBe('search');
    await settle(600);
    get('share-once').focus();
    await type('Enter', true);
    expect(scene.ipc.answers).toHaveLength(1);
    expect(find('question')).not.toBeNull();
  });
});
