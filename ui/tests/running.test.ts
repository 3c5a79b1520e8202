import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, expect, it, vi } from 'vitest';
import RunningCalls from '../src/features/calls/RunningCalls.svelte';
import type { CallView } from '../src/ipc/types';
import { elapsed } from '../src/kit/words';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const call = (id: number, target: string, state: CallView['state']): CallView => ({
  id,
  server: 'loom',
  method: 'tools/call',
  target,
  round: 1,
  startedAt: Date.now() - 2000,
  endedAt: null,
  state,
  progress: null,
});

it('says how long something takes, to the second', () => {
  expect([0, 999, 61_000, 3_599_000, 3_661_000, -5].map(elapsed)).toEqual([
    '0 s',
    '0 s',
    '1:01 min',
    '59:59 min',
    '1:01:01 h',
    '0 s',
  ]);
});

it('lists every call under way with its time, the way to it and its end', async () => {
  vi.useFakeTimers();
  const [ongo, oncancel] = [vi.fn(), vi.fn()];
  const calls = [
    call(1, 'weave', { state: 'running' }),
    call(2, 'cut', { state: 'waiting' }),
    call(3, 'over', { state: 'done' }),
  ];
  render(RunningCalls, { calls, ongo, oncancel });
  const text = () => document.body.textContent?.replace(/\s+/g, ' ');
  expect(text()).toContain('Under way 2');
  expect(text()).toContain('weave loom · 2 s');
  expect(text()).toContain('loom · waits for you · 2 s');
  expect(text()).not.toContain('over');
  vi.advanceTimersByTime(3000);
  flushSync();
  expect(text()).toContain('weave loom · 5 s');
  const press = (id: string) => fireEvent.click(document.querySelector(`[data-testid="${id}"]`) as HTMLElement);
  await press('running-2');
  expect(ongo).toHaveBeenCalledWith(calls[1]);
  await press('running-cancel-1');
  expect(oncancel).toHaveBeenCalledWith(1);
});
