import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { afterEach, describe, expect, it } from 'vitest';
import App from '../src/App.svelte';
import { History, PAGE } from '../src/features/history/history.svelte';
import { MemoryIpc } from '../src/ipc/memory';
import * as data from '../src/ipc/memory-data';
import type { HistoryCall } from '../src/ipc/types';

function past(seq: number, more: Partial<HistoryCall['row']> = {}): HistoryCall {
  const row = {
    seq,
    call: { run: 1, number: seq },
    at: '2026-11-30T08:00:00.000Z',
    tookMs: 12,
    server: 'notes',
    fingerprint: '9f2c41d07ab3',
    method: 'tools/call',
    target: 'find_notes',
    label: 'find_notes',
    ending: 'done' as const,
    message: null,
    rounds: 1,
    ...more,
  };
  return { row, args: { text: `{"query":"q${seq}"}`, bytes: 12, cut: false }, rounds: [], result: null };
}

function host(many: number): MemoryIpc {
  const ipc = new MemoryIpc();
  ipc.folders = data.demoFolders();
  ipc.servers = data.demoServers();
  ipc.past = Array.from({ length: many }, (_, at) => past(many - at));
  return ipc;
}

const press = (testid: string) => fireEvent.click(screen.getByTestId(testid));
afterEach(cleanup);

describe('the lines', () => {
  it('are pulled page by page, and anew as many as are there', async () => {
    const ipc = host(PAGE + 30);
    const history = new History(ipc);
    await history.newest();
    expect(history.rows).toHaveLength(PAGE);
    await history.older();
    expect(history.rows.map((row) => row.seq)).toEqual(ipc.past.map(({ row }) => row.seq));
    expect(history.whole).toBe(true);
    ipc.past.unshift(past(PAGE + 31));
    await history.newest();
    expect(history.rows[0]?.seq).toBe(PAGE + 31);
  });

  it('follow the filter; an answer to an older one comes too late', async () => {
    const ipc = host(3);
    ipc.past.unshift(past(4, { server: 'search', target: 'look' }));
    const history = new History(ipc);
    const late = history.filter({ words: 'q1' });
    await Promise.all([late, history.filter({ words: '', server: 'search' })]);
    expect(history.rows.map((row) => row.target)).toEqual(['look']);
  });
});

describe('the page', () => {
  it('shows a call whole, and leads to its row of the record and back', async () => {
    const ipc = host(0);
    render(App, { ipc });
    await waitFor(() => screen.getByTestId('app-ready'));
    const call = ipc.callTool('notes', 'list_folders', '{"big":9007199254740993}');
    await waitFor(() => screen.getByTestId('question'));
    const question = ipc.asked[0]?.question;
    await ipc.answer(question?.id ?? 0, { kind: 'roots', choice: 'shareOnce', folders: [1] });
    await call;
    await press('nav-history');
    await waitFor(() => screen.getByTestId('history-row'));
    await press('history-row');
    await waitFor(() => expect(screen.getByTestId('history-args').textContent).toContain('9007199254740993'));
    expect(screen.getByTestId('history-answer').textContent).toContain('analytical-engine');
    expect(screen.getByTestId('history-result').textContent).toContain('I was told of');
    await press('history-record-row');
    await waitFor(() => screen.getByTestId('record-sent'));
    await press('record-call');
    await waitFor(() => screen.getByTestId('history-call'));
    await press('history-back');
    await waitFor(() => screen.getByTestId('history-row'));
  });

  it('opens what was called with its arguments, and calls nothing', async () => {
    const ipc = host(1);
    render(App, { ipc });
    await waitFor(() => screen.getByTestId('app-ready'));
    await press('nav-history');
    await waitFor(() => screen.getByTestId('history-row'));
    await press('history-row');
    await waitFor(() => screen.getByTestId('history-again'));
    await press('history-again');
    await waitFor(() => expect(screen.getByDisplayValue('q1')).toBeTruthy());
    expect(ipc.calls).toEqual([]);
    // Arguments of earlier runs are offered again.
    await waitFor(() => expect(screen.getByTestId('recent-args').textContent).toContain('(1)'));
  });

  it('clears one call, and all after a question', async () => {
    const ipc = host(2);
    render(App, { ipc });
    await waitFor(() => screen.getByTestId('app-ready'));
    await press('nav-history');
    await waitFor(() => expect(screen.getAllByTestId('history-row')).toHaveLength(2));
    await fireEvent.click(screen.getAllByTestId('history-row')[0] as HTMLElement);
    await waitFor(() => screen.getByTestId('history-forget'));
    await press('history-forget');
    await waitFor(() => expect(screen.getAllByTestId('history-row')).toHaveLength(1));
    await press('history-clear');
    await waitFor(() => screen.getByTestId('history-clear-dialog'));
    expect(ipc.past).toHaveLength(1);
    await press('history-clear-yes');
    await waitFor(() => expect(screen.queryByTestId('history-row')).toBeNull());
    expect(ipc.past).toEqual([]);
  });

  it('says that a row’s call is not kept', async () => {
    const ipc = host(0);
    ipc.rows = [{ ...data.row(1, 'notes', 'tools/call t'), call: { run: 1, number: 7 } }];
    render(App, { ipc });
    await waitFor(() => screen.getByTestId('app-ready'));
    await press('nav-record');
    await fireEvent.click(await waitFor(() => screen.getByLabelText('Row 1: more')));
    await press('record-call');
    await waitFor(() => expect(document.body.textContent).toContain("The call can't be shown"));
  });
});

describe('a call that its server forgot', () => {
  it('is started again from its error, and the form holds what was entered', async () => {
    const ipc = host(0);
    render(App, { ipc });
    await waitFor(() => screen.getByTestId('app-ready'));
    const again: number[] = [];
    ipc.callTool = () => Promise.reject({ code: 'forgot', message: 'it forgot', call: 7 });
    ipc.startAgain = (call) => {
      again.push(call);
      const draft = '{"title":"Loom","number":9007199254740995,"pinned":false}';
      void ipc.ask('notes', { kind: 'form', message: 'Again', fields: data.formFields, draft });
      return new Promise(() => undefined);
    };
    await fireEvent.click(await waitFor(() => screen.getByTestId('tool-new_note')));
    await waitFor(() => screen.getByTestId('call'));
    await press('call');
    await waitFor(() => screen.getByTestId('start-again'));
    await press('start-again');
    await waitFor(() => screen.getByTestId('form-again'));
    expect(again).toEqual([7]);
    const value = (key: string) => (screen.getByTestId(`form-field-${key}`) as HTMLInputElement).value;
    expect([value('title'), value('number'), value('reply')]).toEqual(['Loom', '9007199254740995', '']);
    expect(ipc.answers).toEqual([]);
  });
});
