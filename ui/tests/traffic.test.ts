import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { flushSync, tick } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TrafficDesk } from '../src/features/traffic/traffic.svelte';
import TrafficPage from '../src/features/traffic/TrafficPage.svelte';
import { MemoryFrames } from '../src/ipc/memory-frames';

class Frames extends MemoryFrames {
  spans() {
    return this.traffic();
  }
}
let ipc: Frames;
let desk: TrafficDesk;
beforeEach(() => {
  ipc = new Frames();
  desk = new TrafficDesk(ipc);
});
afterEach(cleanup);

const talk = (many: number) => {
  for (let nth = 0; nth < many; nth++)
    ipc.say('loom', nth % 2 === 0, nth % 2 ? 'result' : 'request', 'tools/call', String(nth), `{"nth":${nth}}`);
};
async function settle() {
  for (let turn = 0; turn < 6; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    await tick();
    flushSync();
  }
}
const find = (id: string) => document.querySelector<HTMLElement>(`[data-testid="${id}"]`);
const rows = () => [...document.querySelectorAll<HTMLElement>('[role=option]')];
async function open(many: number) {
  talk(many);
  desk.apply(ipc.spans());
  desk.look('loom');
  render(TrafficPage, { desk });
  await settle();
}

it('has a line for each message and draws those in sight only', async () => {
  await open(5000);
  expect(find('traffic-count')?.textContent).toContain('5,000');
  expect(rows().length).toBeLessThan(60);
  expect(rows()[0]?.textContent).toContain('tools/call');
});

it('pulls what is new, and nothing twice', async () => {
  const numbers = vi.spyOn(ipc, 'frameNumbers');
  await open(10);
  talk(5);
  desk.apply(ipc.spans());
  desk.apply(ipc.spans());
  await settle();
  expect([...desk.seqs]).toEqual(Array.from({ length: 15 }, (_, nth) => nth + 1));
  expect(numbers.mock.calls.map(([, , after]) => after)).toEqual([0, 10]);
});

it('finds by words and by way, anew for each', async () => {
  await open(100);
  await fireEvent.input(find('traffic-find') as HTMLElement, { target: { value: '"NTH":99' } });
  await settle();
  expect([...desk.seqs]).toEqual([100]);
  desk.seek({ words: '', sent: true });
  await settle();
  expect(desk.seqs.length).toBe(50);
  desk.seek({ words: 'nowhere', sent: null });
  await settle();
  expect(document.body.textContent).toContain('Nothing found');
});

it('opens a message in lines and as it stood, and saves it', async () => {
  await open(3);
  await fireEvent.click(rows()[1] as HTMLElement);
  await settle();
  expect(find('frame-text')?.textContent).toBe('{\n  "nth": 1\n}');
  await fireEvent.click(find('frame-view')?.querySelectorAll('button')[1] as HTMLElement);
  expect(find('frame-text')?.textContent).toBe('{"nth":1}');
  await fireEvent.click(find('save') as HTMLElement);
  expect(ipc.saved).toEqual([{ name: 'frame-2.json', content: '{"nth":1}' }]);
  await fireEvent.keyDown(find('traffic-list') as HTMLElement, { key: 'ArrowDown' });
  await settle();
  expect(find('frame-text')?.textContent).toContain('2');
});

it('says how many gave way, and lets go of them', async () => {
  await open(20);
  ipc.drop('loom', 11);
  desk.apply(ipc.spans());
  await settle();
  expect(find('traffic-count')?.textContent).toContain('10 older ones dropped');
  expect(desk.seqs[0]).toBe(11);
  await desk.open(3);
  expect(desk.problem).toContain('no frame number 3');
});

it('of a server that is left is not mixed into the next', async () => {
  await open(4);
  ipc.say('reed', true, 'notification', 'n', null, '{}');
  desk.apply(ipc.spans());
  desk.look('reed');
  await settle();
  expect([...desk.seqs]).toEqual([1]);
  expect(rows()[0]?.textContent).toContain('notice');
});
