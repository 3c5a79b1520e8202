import { beforeEach, expect, it, vi } from 'vitest';
import { asProblem } from '../src/ipc/ipc';
import { tauriIpc } from '../src/ipc/tauri';

const sent = vi.hoisted(() => ({ calls: [] as [string, unknown][], raw: undefined as unknown }));
vi.mock('@tauri-apps/api/core', () => ({
  Channel: class {
    onmessage: unknown = null;
  },
  invoke: async (command: string, args?: unknown) => {
    sent.calls.push([command, args]);
    return sent.raw;
  },
}));
beforeEach(() => {
  sent.calls = [];
  sent.raw = undefined;
});

const input = { name: 'n', command: 'c', args: [], env: [], cwd: null };
const typed = { of: 'template', name: 't', argument: 'a', value: 'v', others: [] } as const;
const endpoint = { on: true, kind: 'ollama', url: 'u', model: 'm', mapping: [], maxTokens: 1, seconds: 1 } as const;
const edit = {
  messages: [],
  systemPrompt: { as: 'keep' },
  maxTokens: 1,
  temperature: null,
  stopSequences: null,
} as const;
const part = { of: 'text', block: 0 } as const;
const filter = { words: '', sent: null };
const by = { column: 0, down: true };
const answer = { kind: 'trust', start: true } as const;

it.each<[keyof typeof tauriIpc, unknown[], string, unknown]>([
  ['pickFolders', [], 'pick_folders', undefined],
  ['openPathWindow', [], 'open_path_window', undefined],
  ['addFolderPath', ['/p'], 'add_folder_path', { path: '/p' }],
  ['removeFolder', [1], 'remove_folder', { id: 1 }],
  ['restoreFolder', [1], 'restore_folder', { id: 1 }],
  ['renameFolder', [1, 'x'], 'rename_folder', { id: 1, name: 'x' }],
  ['reorderFolders', [[2, 1]], 'reorder_folders', { ids: [2, 1] }],
  ['addServer', [input], 'add_server', { input }],
  ['removeServer', ['s'], 'remove_server', { name: 's' }],
  ['restoreServer', ['s'], 'restore_server', { name: 's' }],
  ['connectServer', ['s'], 'connect_server', { name: 's' }],
  ['disconnectServer', ['s'], 'disconnect_server', { name: 's' }],
  ['changeServer', ['s', 'roots', 'off'], 'change_server', { name: 's', key: 'roots', value: 'off' }],
  ['changeSettings', ['theme', 'dark'], 'change_settings', { key: 'theme', value: 'dark' }],
  ['addDemo', [], 'add_demo', undefined],
  ['listTools', ['s'], 'list_tools', { server: 's' }],
  ['checkArgs', ['s', 't', '{}'], 'check_args', { server: 's', tool: 't', args: '{}' }],
  ['refreshLists', ['s'], 'refresh_lists', { server: 's' }],
  ['listPrompts', ['s'], 'list_prompts', { server: 's' }],
  ['listResources', ['s'], 'list_resources', { server: 's' }],
  ['listTemplates', ['s'], 'list_templates', { server: 's' }],
  ['expandTemplate', ['t', [['a', 'b']]], 'expand_template', { template: 't', values: [['a', 'b']] }],
  ['suggest', ['s', typed], 'suggest', { server: 's', input: typed }],
  ['stopSuggestions', ['s'], 'stop_suggestions', { server: 's' }],
  ['watchResource', ['s', 'u', true], 'watch_resource', { server: 's', uri: 'u', on: true }],
  ['callEnd', [7], 'call_end', { call: 7 }],
  ['cancelCall', [7], 'cancel_call', { call: 7 }],
  ['answer', [3, answer], 'answer', { question: 3, answer }],
  ['endpoint', [], 'endpoint', undefined],
  ['setEndpoint', [endpoint], 'set_endpoint', { settings: endpoint }],
  ['setEndpointKey', ['k'], 'set_endpoint_key', { key: 'k' }],
  ['askModel', [3, 0, edit], 'ask_model', { question: 3, part: 0, edit }],
  ['stopModel', [3, 0], 'stop_model', { question: 3, part: 0 }],
  ['dismissQuestions', ['s'], 'dismiss_questions', { server: 's' }],
  ['preview', [3, [1]], 'preview', { question: 3, folders: [1] }],
  ['judgeLink', ['u'], 'judge_link', { url: 'u' }],
  ['openLink', ['u'], 'open_link', { url: 'u' }],
  ['saveText', ['n', 't'], 'save_text', { name: 'n', text: 't' }],
  ['resultBlocks', [1, 100], 'result_blocks', { result: 1, from: 100 }],
  [
    'resultRows',
    [1, part, 80, 0, 9, true],
    'result_rows',
    { result: 1, part, columns: 80, first: 0, last: 9, reveal: true },
  ],
  ['resultFind', [1, part, 80, 'w', 5], 'result_find', { result: 1, part, columns: 80, words: 'w', from: 5 }],
  ['resultText', [1, part, false], 'result_text', { result: 1, part, reveal: false }],
  ['resultBytes', [1, part], 'result_bytes', { result: 1, part }],
  ['resultNodes', [1, 0, null], 'result_nodes', { result: 1, at: 0, from: null }],
  ['resultValue', [1, 7], 'result_value', { result: 1, at: 7 }],
  ['resultTable', [1], 'result_table', { result: 1 }],
  ['resultTableRows', [1, by, 0, 9], 'result_table_rows', { result: 1, by, first: 0, last: 9 }],
  ['resultTableText', [1, null, 'csv'], 'result_table_text', { result: 1, by: null, form: 'csv' }],
  ['saveResult', [1, part, 'n'], 'save_result', { result: 1, part, name: 'n' }],
  ['saveTable', [1, by, 'csv'], 'save_table', { result: 1, by, form: 'csv' }],
  ['frameNumbers', ['s', filter, 5], 'frame_numbers', { server: 's', filter, after: 5 }],
  ['frameLines', ['s', [1, 2]], 'frame_lines', { server: 's', seqs: [1, 2] }],
  ['frame', ['s', 1], 'frame', { server: 's', seq: 1 }],
  ['saveFrame', ['s', 1], 'save_frame', { server: 's', seq: 1 }],
  ['revokeGrant', [5], 'revoke_grant', { id: 5 }],
  ['record', [null, 50], 'record', { before: null, limit: 50 }],
  [
    'history',
    [{ before: 9, server: 's', words: null, limit: 50 }],
    'history',
    { before: 9, server: 's', words: null, limit: 50 },
  ],
  ['historyCall', [5], 'history_call', { seq: 5 }],
  ['historyOf', [{ run: 2, number: 3 }], 'history_of', { call: { run: 2, number: 3 } }],
  ['clearHistory', [{ seq: null, server: 's' }], 'clear_history', { seq: null, server: 's' }],
  ['recentArgs', ['s', 'tools/call', 't'], 'recent_args', { server: 's', method: 'tools/call', target: 't' }],
  ['dismissNotice', [4], 'dismiss_notice', { id: 4 }],
  ['pageError', ['m'], 'page_error', { message: 'm' }],
])('%s is the command that the shell has', async (method, args, command, expected) => {
  await (tauriIpc[method] as (...given: unknown[]) => Promise<unknown>)(...args);
  expect(sent.calls[0]).toEqual([command, expected]);
});

it.each<[keyof typeof tauriIpc, unknown[], string, unknown]>([
  ['callTool', ['s', 't', '{}'], 'call_tool', { server: 's', tool: 't', args: '{}', limit: null }],
  ['getPrompt', ['s', 'p', '{}', 2.5], 'get_prompt', { server: 's', name: 'p', args: '{}', limit: 2.5 }],
  ['readResource', ['s', 'u', null], 'read_resource', { server: 's', uri: 'u', limit: null }],
  ['startAgain', [7], 'start_again', { call: 7 }],
])('%s starts a call, and asks for its end apart', async (method, args, command, expected) => {
  await (tauriIpc[method] as (...given: unknown[]) => Promise<unknown>)(...args);
  expect(sent.calls).toEqual([
    [command, expected],
    ['call_end', { call: undefined }],
  ]);
});

it('reads raw answers, and lists of numbers where the web view could not take them raw', async () => {
  const bytes = new TextEncoder().encode('\ufeffé…');
  for (const raw of [bytes.buffer, [...bytes]]) {
    sent.raw = raw;
    expect(await tauriIpc.resultText(1, part, false)).toBe('\ufeffé…');
    expect(await tauriIpc.resultBytes(1, part)).toEqual(bytes);
  }
  sent.raw = Float64Array.from([1, 2 ** 40]).buffer;
  expect(await tauriIpc.frameNumbers('s', filter, 0)).toEqual(Float64Array.from([1, 2 ** 40]));
});

it('watches over one channel', async () => {
  const apply = vi.fn();
  await tauriIpc.watch(apply);
  expect(sent.calls).toEqual([['watch', { updates: expect.objectContaining({ onmessage: apply }) }]]);
});

it('shows an error of the host with its code, and any other without', () => {
  expect(asProblem({ code: 'gone', message: 'm' })).toEqual({ code: 'gone', message: 'm', call: null });
  expect(asProblem({ code: 'forgot', message: 'm', call: 7 })).toEqual({ code: 'forgot', message: 'm', call: 7 });
  expect(asProblem(new Error('broken'))).toEqual({ code: null, message: 'broken', call: null });
  expect(asProblem('text')).toEqual({ code: null, message: 'text', call: null });
});
