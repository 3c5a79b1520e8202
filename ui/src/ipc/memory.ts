/**
 * The host's twin inside the page: enough behaviour to try every screen and to test them. It decides nothing that the
 * real host decides; it only plays one that asks.
 */
import type { Ipc, ServerKey, SettingsKey } from './ipc';
import * as data from './memory-data';
import { judge } from './memory-links';
import { modelAnswer, withDraft, withEndpoint } from './memory-sampling';
import { withApp, withServer } from './memory-settings';
import { MemoryShelves } from './memory-shelves';
import { failure } from './memory-state';
import * as undo from './memory-undo';
import type {
  AddedFolder,
  AnswerInput,
  CallEnd,
  CallView,
  DraftView,
  EndpointSettings,
  QuestionBody,
  QuestionView,
  SampleEdit,
  ServerInput,
} from './types';

export class MemoryIpc extends MemoryShelves implements Ipc {
  async pickFolders(): Promise<AddedFolder[]> {
    if (this.noPicker) throw failure('noPicker', 'no folder picker answers on this desktop');
    return this.addFolderPath(`/home/ada/work/project-${this.next}`);
  }
  async openPathWindow() {
    window.open('path.html');
  }
  async addFolderPath(path: string): Promise<AddedFolder[]> {
    if (!path.startsWith('/')) return [{ path, id: null, problem: 'the path must begin with /' }];
    if (this.folders.some((folder) => folder.path === path))
      return [{ path, id: null, problem: 'it is there already' }];
    const id = this.next++;
    this.folders.push(data.folder(id, path));
    this.changed('folders');
    return [{ path, id, problem: null }];
  }
  removeFolder = (id: number) => undo.removeFolder(this, id);
  restoreFolder = (id: number) => undo.restoreFolder(this, id);
  async renameFolder(id: number, name: string) {
    if (!name.trim()) throw failure('invalid', 'a folder needs a name');
    this.folders = this.folders.map((folder) => (folder.id === id ? { ...folder, name } : folder));
    this.changed('folders');
  }
  async reorderFolders(ids: number[]) {
    this.folders = ids.flatMap((id) => this.folders.filter((folder) => folder.id === id));
    this.changed('folders');
  }

  async addServer(input: ServerInput) {
    if (this.servers.some((server) => server.name === input.name)) {
      throw failure('exists', `server ${input.name} is there already`);
    }
    const env = input.env.map(([key, value]) => ({ key, value }));
    const what = data.definition(input.command, input.args, { env, cwd: input.cwd, fingerprint: '77aa10c2de94' });
    this.servers.push(data.server(input.name, what, { trust: 'new' }));
    this.changed('servers');
  }
  removeServer = (name: string) => undo.removeServer(this, name);
  restoreServer = (name: string) => undo.restoreServer(this, name);
  async connectServer(name: string) {
    const server = this.servers.find((one) => one.name === name);
    if (!server) throw failure('notFound', `there is no server ${name}`);
    if (server.trust !== 'trusted') {
      this.patch(name, {
        connection: { state: 'starting', since: Date.now(), waitsFor: 'your decision on its command' },
      });
      const previous = server.trust === 'changed' ? data.before(server.definition) : null;
      const answer = await this.ask(name, { kind: 'trust', previous });
      if (answer?.kind !== 'trust' || !answer.start) {
        this.patch(name, { connection: { state: 'idle' } });
        throw failure('notTrusted', `server ${name} was not started: you did not allow its command`);
      }
    }
    this.patch(name, { connection: { state: 'starting', since: Date.now(), waitsFor: 'its first answer' } });
    await this.wait(3);
    if (name === 'search') {
      const hint = 'Install the program, or correct the command in servers.json.';
      this.patch(name, { connection: { state: 'failed', reason: `${server.definition.command}: no such file`, hint } });
      throw failure('startFailed', `server ${name} did not start: no such file`);
    }
    const identity = { name: `${name}-server`, title: null, version: '1.0.0', icon: null, instructions: null };
    const offers = { suggests: true, watchable: true };
    const since = Date.now();
    this.patch(name, {
      trust: 'trusted',
      connection: {
        state: 'ready',
        since,
        revision: '2026-07-28',
        modern: true,
        pid: 40000 + this.next++,
        ...offers,
        identity,
      },
      stderr: [...server.stderr, `${name}: ready`],
    });
  }
  async disconnectServer(name: string) {
    this.patch(name, { connection: { state: 'idle' } });
  }
  async changeServer(name: string, key: ServerKey, value: string) {
    const server = this.servers.find((one) => one.name === name);
    if (!server) throw failure('notFound', `there is no server ${name}`);
    this.patch(name, { settings: withServer(server.settings, key, value) });
  }
  async changeSettings(key: SettingsKey, value: string) {
    this.settings = withApp(this.settings, key, value);
    this.changed('settings');
  }
  async addDemo() {
    if (!this.servers.some((server) => server.name === 'demo'))
      this.servers.push(data.server('demo', data.demoDefinition));
    await this.connectServer('demo');
    return 'demo';
  }

  async callTool(server: string, tool: string, args: string): Promise<CallEnd> {
    const call = this.begin(server, 'tools/call', tool, args);
    await this.wait(2);
    const ready = this.gallery[tool];
    if (ready) return this.complete(call, ready);
    if (tool === 'slow') await new Promise(() => undefined);
    if (tool === 'fail') {
      const content = [{ type: 'text' as const, text: 'The notes are locked by another program.' }];
      return this.complete(call, {
        kind: 'tool',
        content,
        structured: null,
        isError: true,
        mismatch: null,
        raw: '{"isError":true}',
      });
    }
    if (tool === 'new_note') return this.fillForm(call, args);
    return this.tellFolders(call, args);
  }
  private async tellFolders(call: CallView, args: string): Promise<CallEnd> {
    const body: QuestionBody = { kind: 'roots', folders: data.choices(this.folders) };
    const answer = await this.ask(call.server, body, call, args);
    if (answer?.kind !== 'roots' || answer.choice === 'refuse' || answer.choice === 'never') {
      this.log(call, 'refused', null);
      return this.decline(call, `${call.server} asked for your folders and you said no.`);
    }
    const ids = answer.choice === 'shareNone' ? [] : answer.folders;
    const told = this.folders.filter((folder) => ids.includes(folder.id));
    this.log(call, told.length ? 'shared' : 'sharedNone', this.sent(ids));
    call.round = 2;
    const text = told.length
      ? `I was told of:\n${told.map((one) => `  ${one.name}  ${one.uri}`).join('\n')}`
      : 'No folders.';
    const structured = '{"count":3,"id":9007199254740993,"best":["loom.md","engine.md"]}';
    const raw = JSON.stringify({ content: [{ type: 'text', text }], resultType: 'complete' });
    return this.complete(call, {
      kind: 'tool',
      content: [{ type: 'text', text }],
      structured,
      isError: false,
      mismatch: null,
      raw,
    });
  }
  private async fillForm(call: CallView, args: string): Promise<CallEnd> {
    const body: QuestionBody = {
      kind: 'form',
      message: 'A few words about the new note, please.',
      fields: data.formFields,
      draft: null,
    };
    const answer = await this.ask(call.server, body, call, args);
    const accepted = answer?.kind === 'form' && answer.action === 'accept' ? answer.content : null;
    this.log(call, accepted ? 'formSent' : 'formRefused', accepted);
    const text = accepted ? `Written with ${accepted}` : 'Nothing was written.';
    return this.complete(call, {
      kind: 'tool',
      content: [{ type: 'text', text }],
      structured: null,
      isError: false,
      mismatch: null,
      raw: '{}',
    });
  }
  async getPrompt(server: string, name: string, args: string): Promise<CallEnd> {
    const call = this.begin(server, 'prompts/get', name, args);
    await this.wait(1);
    const content = { type: 'text' as const, text: `Summarise in three sentences: ${args}` };
    return this.complete(call, { kind: 'prompt', description: null, messages: [{ role: 'user', content }], raw: '{}' });
  }
  async readResource(server: string, uri: string): Promise<CallEnd> {
    const call = this.begin(server, 'resources/read', uri);
    await this.wait(1);
    const text = 'loom.md\nengine.md\nnumbers.md';
    const content = [{ type: 'resource' as const, uri, mimeType: 'text/plain', text, bytes: null, data: null }];
    return this.complete(call, { kind: 'resource', content, raw: '{}' });
  }
  async startAgain(call: number): Promise<CallEnd> {
    const { row, args } = await this.historyOf({ run: 1, number: call });
    return this.callTool(row.server, row.target, args?.text ?? '{}');
  }
  async callEnd(call: number): Promise<CallEnd> {
    const end = this.ends.get(call);
    if (!end) throw failure('notFound', `there is no kept result of call number ${call}`);
    return end;
  }
  async cancelCall(id: number) {
    this.asked
      .filter((asked) => asked.question.why.some((why) => why.call === id))
      .forEach((asked) => asked.settle(null));
    this.setCall(id, { state: 'cancelled' });
  }

  /** Opens a question and resolves with its answer; null when it was withdrawn. */
  ask(name: string, body: QuestionBody, call?: CallView, args?: string): Promise<AnswerInput | null> {
    const server = this.servers.find((one) => one.name === name);
    const id = this.next++;
    const why = call
      ? [{ call: call.id, method: call.method, target: call.target, args: args ?? null, round: call.round }]
      : [];
    if (call) this.setCall(call.id, { state: 'waiting' });
    return new Promise((resolve) => {
      const settle = (answer: AnswerInput | null) => {
        this.asked = this.asked.filter((asked) => asked.question.id !== id);
        if (call) this.setCall(call.id, { state: 'running' });
        this.changed('questions');
        resolve(answer);
      };
      const definition = server?.definition ?? data.demoDefinition;
      const trust = server?.trust ?? 'new';
      const asked = { askedAt: Date.now(), expiresAt: null };
      const question: QuestionView = { id, server: name, definition, trust, why, ...asked, body };
      this.asked.push({ question, settle });
      this.changed('questions');
    });
  }
  async endpoint() {
    return structuredClone(this.endpointState);
  }
  async setEndpoint(settings: EndpointSettings) {
    this.endpointState = withEndpoint(this.endpointState, settings);
    return this.endpoint();
  }
  async setEndpointKey(key: string | null) {
    this.endpointState = { ...this.endpointState, key: key === null ? 'none' : 'keychain' };
    return this.endpoint();
  }
  async askModel(question: number, part: number, edit: SampleEdit) {
    this.edits.push(structuredClone(edit));
    this.drafted(question, part, { state: 'asking', since: Date.now() });
    await this.wait(6);
    this.drafted(question, part, modelAnswer(this.edits.length));
  }
  async stopModel(question: number, part: number) {
    this.drafted(question, part, { state: 'empty' });
  }
  /** Says where the model's answer to a part of a question stands. */
  drafted(id: number, part: number, draft: DraftView) {
    const asked = this.asked.find((one) => one.question.id === id);
    if (!asked) throw failure('gone', 'the question is no longer open');
    asked.question = withDraft(asked.question, part, draft);
    this.changed('questions');
  }
  async answer(question: number, answer: AnswerInput) {
    const asked = this.asked.find((one) => one.question.id === question);
    if (!asked) throw failure('gone', 'the question is no longer open');
    this.answers.push(answer);
    if (answer.kind === 'form' && answer.content?.includes('"bad"')) throw failure('invalid', 'Title: not this word');
    asked.settle(answer);
  }
  async dismissQuestions(server: string) {
    const its = this.asked.filter((asked) => asked.question.server === server);
    for (const asked of its) asked.settle(null);
  }
  async preview(_question: number, folders: number[]) {
    return this.sent(folders);
  }
  private sent(ids: number[]) {
    const roots = this.folders.filter((one) => ids.includes(one.id)).map(({ uri, name }) => ({ uri, name }));
    return JSON.stringify({ inputResponses: { folders: { roots } } });
  }

  async revokeGrant(id: number) {
    this.grants = this.grants.filter((grant) => grant.id !== id);
    this.changed('grants');
  }
  judgeLink = judge;
  async openLink(url: string) {
    this.opened.push(url);
  }
  async record(before: number | null, limit: number) {
    return structuredClone(this.rows.filter((row) => before === null || row.seq < before).slice(0, limit));
  }
  async dismissNotice(id: number) {
    this.notices = this.notices.filter((notice) => notice.id !== id);
    this.changed('notices');
  }
  async pageError(message: string) {
    this.errors.push(message);
    console.error('page error', message);
  }
}
