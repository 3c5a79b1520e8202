/**
 * What the page may ask of the host: one method a command, nothing decided here. `tauri.ts` sends it to Rust, `memory.ts`
 * is a twin that lives in the page, for tests and for a plain browser.
 */
import type {
  AddedFolder,
  AnswerInput,
  BlockView,
  CallEnd,
  CallRef,
  CheckView,
  Code,
  EndpointSettings,
  EndpointState,
  ErrorView,
  FrameFilter,
  FrameLine,
  FrameView,
  HistoryCall,
  HistoryRow,
  LinkView,
  ListingView,
  NodesView,
  PartView,
  PromptView,
  RecordRow,
  ResourceView,
  RowsView,
  SampleEdit,
  ServerInput,
  SortInput,
  SuggestInput,
  SuggestionsView,
  TableForm,
  TableRowView,
  TableView,
  TemplateView,
  ToolView,
  Update,
} from './types';

/** A time limit for one call, in seconds; null is the server's. */
export type Limit = number | null;

export type ServerKey = 'era' | 'roots' | 'forms' | 'links' | 'sampling' | 'time-limit' | 'log' | 'history';
export type SettingsKey =
  'theme' | 'language' | 'time-limit' | 'longest-call' | 'history' | 'calls-kept' | 'traffic' | 'notifications';

export interface Ipc {
  /** Sends every kind of value once, then each whole value as it changes. */
  watch(apply: (update: Update) => void): Promise<void>;

  /** Opens the native picker. Rejects with `noPicker` where none answers; empty when cancelled. */
  pickFolders(): Promise<AddedFolder[]>;
  openPathWindow(): Promise<void>;
  /** Allowed for the small window of `path.html` only. */
  addFolderPath(path: string): Promise<AddedFolder[]>;
  removeFolder(id: number): Promise<void>;
  /** Puts back what was removed in this run: under a new number, without the decisions that hung on it. */
  restoreFolder(id: number): Promise<void>;
  renameFolder(id: number, name: string): Promise<void>;
  reorderFolders(ids: number[]): Promise<void>;

  addServer(input: ServerInput): Promise<void>;
  removeServer(name: string): Promise<void>;
  /** Puts back what was removed in this run; it is not started. */
  restoreServer(name: string): Promise<void>;
  /** Resolves when the server is ready, rejects with the reason. */
  connectServer(name: string): Promise<void>;
  disconnectServer(name: string): Promise<void>;
  /** Changes one setting of a server, or of the app: key and value are words, as the command takes them. */
  changeServer(name: string, key: ServerKey, value: string): Promise<void>;
  changeSettings(key: SettingsKey, value: string): Promise<void>;
  /** Adds the demo server, connects it and gives its name. */
  addDemo(): Promise<string>;

  listTools(server: string): Promise<ListingView<ToolView>>;
  /** Checks arguments against the tool's input schema, in Rust; sends nothing of them. */
  checkArgs(server: string, tool: string, args: string): Promise<CheckView>;
  /** Forgets the lists that a server allowed to be kept; the next one is asked for anew. */
  refreshLists(server: string): Promise<void>;
  listPrompts(server: string): Promise<ListingView<PromptView>>;
  listResources(server: string): Promise<ListingView<ResourceView>>;
  listTemplates(server: string): Promise<ListingView<TemplateView>>;
  /** The address that a template and these values make; sends nothing. */
  expandTemplate(template: string, values: [string, string][]): Promise<string>;
  /** Tells the server what is typed and gives what it suggests. A later request, or `stopSuggestions`, cancels it. */
  suggest(server: string, input: SuggestInput): Promise<SuggestionsView>;
  stopSuggestions(server: string): Promise<void>;
  /** Has the server tell of changes of a resource, or lets go of it. */
  watchResource(server: string, uri: string, on: boolean): Promise<void>;
  /** `args` is the text of one JSON object; it stays text so that no number loses a digit. */
  callTool(server: string, tool: string, args: string, limit?: Limit): Promise<CallEnd>;
  getPrompt(server: string, name: string, args: string, limit?: Limit): Promise<CallEnd>;
  readResource(server: string, uri: string, limit?: Limit): Promise<CallEnd>;
  /** Waits for the end of a call that a page before a reload started; it may be asked for again and again. */
  callEnd(call: number): Promise<CallEnd>;
  cancelCall(call: number): Promise<void>;
  /** Starts a call anew that its server forgot; what was entered into its forms is in them again. */
  startAgain(call: number): Promise<CallEnd>;

  /** The model endpoint as it is set. Its key is never told. */
  endpoint(): Promise<EndpointState>;
  setEndpoint(settings: EndpointSettings): Promise<EndpointState>;
  /** Keeps the key of the endpoint that is set; null forgets it. */
  setEndpointKey(key: string | null): Promise<EndpointState>;
  /** Puts a part of an open question to the endpoint that it names; the question shows what comes of it. */
  askModel(question: number, part: number, edit: SampleEdit): Promise<void>;
  /** Ends the asking, or takes the model's answer off the question. */
  stopModel(question: number, part: number): Promise<void>;

  /** Rejects with `gone` when the question is no longer open, `invalid` when a form's content is not valid. */
  answer(question: number, answer: AnswerInput): Promise<void>;
  /** Refuses every open question of one server, without an answer to it. */
  dismissQuestions(server: string): Promise<void>;
  /** The exact JSON that would be sent for these folders. */
  preview(question: number, folders: number[]): Promise<string>;
  revokeGrant(id: number): Promise<void>;

  /** Reads an address without following it. Rejects with `invalid` where it can't be opened. */
  judgeLink(url: string): Promise<LinkView>;
  /** Opens an http or https address in the person's browser. */
  openLink(url: string): Promise<void>;
  /** Saves text that the page made, by the native dialog; false where the person cancelled it. */
  saveText(name: string, text: string): Promise<boolean>;

  /** Pieces of a result that the host keeps. Each rejects with `notFound` where newer results took its place. */
  resultBlocks(result: number, from: number): Promise<BlockView[]>;
  /** Rows of a text, from the first up to, not with, the last; with `reveal`, every unseen character is written out. */
  resultRows(
    result: number,
    part: PartView,
    columns: number,
    first: number,
    last: number,
    reveal: boolean,
  ): Promise<RowsView>;
  /** The next row that holds some words, from a row on and round to it again. */
  resultFind(result: number, part: PartView, columns: number, words: string, from: number): Promise<number | null>;
  /** A whole text as it is shown. Rejects with `invalid` where it is too large to be copied. */
  resultText(result: number, part: PartView, reveal: boolean): Promise<string>;
  /** The bytes of a picture or a sound. Rejects with `invalid` where they are no base64. */
  resultBytes(result: number, part: PartView): Promise<Uint8Array<ArrayBuffer>>;
  /** Children of a value of the structured content; without a place, the structured content itself. */
  resultNodes(result: number, at: number | null, from: number | null): Promise<NodesView>;
  resultValue(result: number, at: number): Promise<string>;
  /** Null where the structured content is no table. */
  resultTable(result: number): Promise<TableView | null>;
  resultTableRows(result: number, by: SortInput | null, first: number, last: number): Promise<TableRowView[]>;
  resultTableText(result: number, by: SortInput | null, form: TableForm): Promise<string>;
  /** Both save exactly what the server sent, by the native dialog; false where the person cancelled it. */
  saveResult(result: number, part: PartView, name: string): Promise<boolean>;
  saveTable(result: number, by: SortInput | null, form: TableForm): Promise<boolean>;

  /** The numbers of a server's kept frames after one that a filter lets through, oldest first. */
  frameNumbers(server: string, filter: FrameFilter, after: number): Promise<Float64Array>;
  /** A line for each of these frames; null for one that is no longer kept. */
  frameLines(server: string, seqs: number[]): Promise<(FrameLine | null)[]>;
  /** Rejects with `notFound` where it is no longer kept. */
  frame(server: string, seq: number): Promise<FrameView>;
  /** Saves a frame exactly as it stood; false where the person cancelled. */
  saveFrame(server: string, seq: number): Promise<boolean>;

  /** Newest first. */
  record(before: number | null, limit: number): Promise<RecordRow[]>;
  /** Newest first: before a number, of one server, or with some words, where these are given. */
  history(look: HistoryLook): Promise<HistoryRow[]>;
  historyCall(seq: number): Promise<HistoryCall>;
  /** The call that a row of the record names. Rejects with `notFound` where it is not kept. */
  historyOf(call: CallRef): Promise<HistoryCall>;
  /** Lets one call go, or those of a server, or all; gives how many they were. */
  clearHistory(which: { seq: number | null; server: string | null }): Promise<number>;
  /** The newest arguments of a target, each once. */
  recentArgs(server: string, method: string, target: string): Promise<string[]>;
  dismissNotice(id: number): Promise<void>;
  pageError(message: string): Promise<void>;
}

export interface HistoryLook {
  before: number | null;
  server: string | null;
  words: string | null;
  limit: number;
}

/** An error as the page shows it; without a code where it did not come from the host. */
export interface Problem {
  code: Code | null;
  message: string;
  /** The call that ended with it, where it is a call's end. */
  call: number | null;
}

export function asProblem(error: unknown): Problem {
  if (typeof error === 'object' && error !== null && 'message' in error) {
    const { message } = error as ErrorView;
    const code = 'code' in error && typeof error.code === 'string' ? (error.code as Code) : null;
    const call = 'call' in error && typeof error.call === 'number' ? error.call : null;
    return { code, message: String(message), call };
  }
  return { code: null, message: String(error), call: null };
}
