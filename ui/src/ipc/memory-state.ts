/**
 * What the twin holds, and how it tells its watchers: whole values, as the host does. What it does with a click is in
 * `memory.ts`.
 */
import * as data from './memory-data';
import { MemoryHistory } from './memory-history';
import { endpointOff } from './memory-sampling';
import type {
  AnswerInput,
  CallEnd,
  CallState,
  CallView,
  Code,
  EndpointState,
  FolderView,
  GrantView,
  NoticeView,
  QuestionView,
  RecordRow,
  ResultView,
  SampleEdit,
  ServerView,
  Settings,
  Update,
} from './types';

export interface Asked {
  question: QuestionView;
  settle: (answer: AnswerInput | null) => void;
}

export const failure = (code: Code, message: string) => ({ code, message });

export class MemoryState extends MemoryHistory {
  folders: FolderView[] = [];
  servers: ServerView[] = [];
  asked: Asked[] = [];
  grants: GrantView[] = [];
  calls: CallView[] = [];
  protected ends = new Map<number, CallEnd>();
  rows: RecordRow[] = [];
  notices: NoticeView[] = [];
  settings: Settings = data.settings;
  endpointState: EndpointState = endpointOff;
  /** Every model request that was put to the endpoint, for tests. */
  edits: SampleEdit[] = [];
  noPicker = false;
  /** How long the played server takes, in milliseconds. */
  pace = 0;
  /** Every answer that came, for tests. */
  answers: AnswerInput[] = [];
  errors: string[] = [];
  /** Results by the name of a tool that gives them. */
  gallery: Record<string, ResultView> = {};
  opened: string[] = [];
  protected next = 100;
  private watchers = new Set<(update: Update) => void>();

  private tell(update: Update) {
    const text = structuredClone(update);
    for (const watcher of this.watchers) watcher(text);
  }
  private whole(type: Update['type']): Update {
    if (type === 'folders') return { type, folders: this.folders };
    if (type === 'questions') return { type, questions: this.asked.map((asked) => asked.question) };
    if (type === 'grants') return { type, grants: this.grants };
    if (type === 'calls') return { type, calls: this.calls };
    if (type === 'record') return { type, newest: this.rows[0]?.seq ?? 0 };
    if (type === 'history') return { type, ...this.size() };
    if (type === 'notices') return { type, notices: this.notices };
    if (type === 'traffic') return { type, servers: this.traffic() };
    if (type === 'settings') return { type, settings: this.settings };
    return { type, servers: this.servers, file: { path: '/home/ada/.config/gatehouse/servers.json', problem: null } };
  }
  /** Tells the watchers a whole value, as the host does after a change. */
  changed(...types: Update['type'][]) {
    for (const type of types) this.tell(this.whole(type));
  }

  async watch(apply: (update: Update) => void) {
    this.watchers.clear(); // a reloaded page takes the place of the one before
    this.watchers.add(apply);
    this.changed(
      'settings',
      'folders',
      'servers',
      'questions',
      'grants',
      'calls',
      'record',
      'history',
      'notices',
      'traffic',
    );
  }

  protected wait(steps: number) {
    return this.pace ? new Promise((resolve) => setTimeout(resolve, this.pace * steps)) : Promise.resolve();
  }
  protected begin(server: string, method: string, target: string, args?: string): CallView {
    const call = {
      id: this.next++,
      server,
      method,
      target,
      round: 1,
      startedAt: Date.now(),
      endedAt: null,
      progress: null,
    };
    const view: CallView = { ...call, state: { state: 'running' } };
    this.calls.push(view);
    this.begun(call.id, args);
    const sent = { jsonrpc: '2.0', id: call.id, method, params: { name: target } };
    this.say(server, true, 'request', method, String(call.id), JSON.stringify(sent));
    this.changed('calls', 'traffic');
    return view;
  }
  protected setCall(id: number, state: CallState) {
    const call = this.calls.find((one) => one.id === id);
    if (call) call.state = state;
    this.changed('calls');
  }
  protected complete(call: CallView, result: ResultView): CallEnd {
    this.setCall(call.id, { state: result.kind === 'tool' && result.isError ? 'toolError' : 'done' });
    const tookMs = Date.now() - call.startedAt;
    const said = `{"jsonrpc":"2.0","id":${call.id},"result":${result.raw}}`;
    this.say(call.server, false, 'result', call.method, String(call.id), said);
    this.changed('traffic');
    return this.keep({ end: 'completed', call: call.id, rounds: call.round, tookMs, result: this.describe(result) });
  }
  protected decline(call: CallView, message: string): CallEnd {
    this.setCall(call.id, { state: 'declined', message });
    return this.keep({ end: 'declined', call: call.id, message });
  }
  protected keep(end: CallEnd): CallEnd {
    this.ends.set(end.call, end);
    const call = this.calls.find((one) => one.id === end.call);
    if (call) this.add(call, end, this.rows);
    return end;
  }
  protected log(call: CallView, outcome: RecordRow['outcome'], sent: string | null) {
    const told = outcome === 'shared' ? this.folders.filter((one) => sent?.includes(`"${one.uri}"`)) : [];
    this.rows.unshift({
      ...data.row((this.rows[0]?.seq ?? 0) + 1, call.server, `${call.method} ${call.target}`),
      round: call.round,
      outcome,
      folders: told.map(({ uri, name }) => ({ uri, name })),
      sent,
      call: { run: 1, number: call.id },
    });
    this.changed('record');
  }
}
