/** The host behind Tauri's commands. One line a command; the names are the shell's, the arguments in camel case. */
import { Channel, invoke } from '@tauri-apps/api/core';
import type { Ipc } from './ipc';
import type { CallEnd, Update } from './types';

/**
 * A call is started by a short command and its end is asked for by another. A command that is cut off by a reload is sent
 * once more by Tauri; this one may be, the call itself may not.
 */
async function ended(started: Promise<number>): Promise<CallEnd> {
  return endOf(await started);
}

/** An error says which call it ended. */
async function endOf(call: number): Promise<CallEnd> {
  try {
    return await invoke<CallEnd>('call_end', { call });
  } catch (error) {
    throw typeof error === 'object' && error !== null ? { ...error, call } : error;
  }
}

/** A command's raw answer; a list of numbers where the web view could not take it raw. */
async function bytes(raw: Promise<ArrayBuffer | number[]>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await raw);
}
async function words(raw: Promise<ArrayBuffer | number[]>): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await bytes(raw));
}

export const tauriIpc: Ipc = {
  async watch(apply) {
    const updates = new Channel<Update>();
    updates.onmessage = apply;
    await invoke('watch', { updates });
  },

  pickFolders: () => invoke('pick_folders'),
  openPathWindow: () => invoke('open_path_window'),
  addFolderPath: (path) => invoke('add_folder_path', { path }),
  removeFolder: (id) => invoke('remove_folder', { id }),
  restoreFolder: (id) => invoke('restore_folder', { id }),
  renameFolder: (id, name) => invoke('rename_folder', { id, name }),
  reorderFolders: (ids) => invoke('reorder_folders', { ids }),

  addServer: (input) => invoke('add_server', { input }),
  removeServer: (name) => invoke('remove_server', { name }),
  restoreServer: (name) => invoke('restore_server', { name }),
  connectServer: (name) => invoke('connect_server', { name }),
  disconnectServer: (name) => invoke('disconnect_server', { name }),
  changeServer: (name, key, value) => invoke('change_server', { name, key, value }),
  changeSettings: (key, value) => invoke('change_settings', { key, value }),
  addDemo: () => invoke('add_demo'),

  listTools: (server) => invoke('list_tools', { server }),
  checkArgs: (server, tool, args) => invoke('check_args', { server, tool, args }),
  refreshLists: (server) => invoke('refresh_lists', { server }),
  listPrompts: (server) => invoke('list_prompts', { server }),
  listResources: (server) => invoke('list_resources', { server }),
  listTemplates: (server) => invoke('list_templates', { server }),
  expandTemplate: (template, values) => invoke('expand_template', { template, values }),
  suggest: (server, input) => invoke('suggest', { server, input }),
  stopSuggestions: (server) => invoke('stop_suggestions', { server }),
  watchResource: (server, uri, on) => invoke('watch_resource', { server, uri, on }),
  callTool: (server, tool, args, limit = null) => ended(invoke('call_tool', { server, tool, args, limit })),
  getPrompt: (server, name, args, limit = null) => ended(invoke('get_prompt', { server, name, args, limit })),
  readResource: (server, uri, limit = null) => ended(invoke('read_resource', { server, uri, limit })),
  callEnd: endOf,
  cancelCall: (call) => invoke('cancel_call', { call }),
  startAgain: (call) => ended(invoke('start_again', { call })),

  endpoint: () => invoke('endpoint'),
  setEndpoint: (settings) => invoke('set_endpoint', { settings }),
  setEndpointKey: (key) => invoke('set_endpoint_key', { key }),
  askModel: (question, part, edit) => invoke('ask_model', { question, part, edit }),
  stopModel: (question, part) => invoke('stop_model', { question, part }),

  answer: (question, answer) => invoke('answer', { question, answer }),
  dismissQuestions: (server) => invoke('dismiss_questions', { server }),
  preview: (question, folders) => invoke('preview', { question, folders }),
  revokeGrant: (id) => invoke('revoke_grant', { id }),
  judgeLink: (url) => invoke('judge_link', { url }),
  openLink: (url) => invoke('open_link', { url }),
  saveText: (name, text) => invoke('save_text', { name, text }),
  resultBlocks: (result, from) => invoke('result_blocks', { result, from }),
  resultRows: (result, part, columns, first, last, reveal) =>
    invoke('result_rows', { result, part, columns, first, last, reveal }),
  resultFind: (result, part, columns, words, from) => invoke('result_find', { result, part, columns, words, from }),
  resultText: (result, part, reveal) => words(invoke('result_text', { result, part, reveal })),
  resultBytes: (result, part) => bytes(invoke('result_bytes', { result, part })),
  resultNodes: (result, at, from) => invoke('result_nodes', { result, at, from }),
  resultValue: (result, at) => words(invoke('result_value', { result, at })),
  resultTable: (result) => invoke('result_table', { result }),
  resultTableRows: (result, by, first, last) => invoke('result_table_rows', { result, by, first, last }),
  resultTableText: (result, by, form) => words(invoke('result_table_text', { result, by, form })),
  saveResult: (result, part, name) => invoke('save_result', { result, part, name }),
  saveTable: (result, by, form) => invoke('save_table', { result, by, form }),
  frameNumbers: async (server, filter, after) => {
    const raw = await bytes(invoke('frame_numbers', { server, filter, after }));
    return new Float64Array(raw.buffer);
  },
  frameLines: (server, seqs) => invoke('frame_lines', { server, seqs }),
  frame: (server, seq) => invoke('frame', { server, seq }),
  saveFrame: (server, seq) => invoke('save_frame', { server, seq }),
  record: (before, limit) => invoke('record', { before, limit }),
  history: ({ before, server, words, limit }) => invoke('history', { before, server, words, limit }),
  historyCall: (seq) => invoke('history_call', { seq }),
  historyOf: (call) => invoke('history_of', { call }),
  clearHistory: ({ seq, server }) => invoke('clear_history', { seq, server }),
  recentArgs: (server, method, target) => invoke('recent_args', { server, method, target }),
  dismissNotice: (id) => invoke('dismiss_notice', { id }),
  pageError: (message) => invoke('page_error', { message }),
};
