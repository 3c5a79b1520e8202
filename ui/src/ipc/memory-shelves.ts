/** What the twin's servers offer: lists, templates, suggestions and watched resources. Calls are the twin's own. */
import * as data from './memory-data';
import { authors, resources, templates } from './memory-resources';
import { MemoryState } from './memory-state';
import type { CheckView, ServerView, SuggestInput, SuggestionsView } from './types';

export class MemoryShelves extends MemoryState {
  patch(name: string, change: Partial<ServerView>) {
    this.servers = this.servers.map((server) => (server.name === name ? { ...server, ...change } : server));
    this.changed('servers');
  }

  async listTools() {
    const more = Object.keys(this.gallery).map(data.plainTool);
    return structuredClone({ ...data.tools, items: [...data.tools.items, ...more] });
  }
  async checkArgs(_server: string, _tool: string, args: string): Promise<CheckView> {
    const faults = args.includes('"bad"') ? [{ path: '/title', message: '"bad" is not a title' }] : [];
    return { faults, unusable: null };
  }
  async refreshLists() {}
  async listPrompts() {
    return structuredClone(data.prompts);
  }
  async listResources() {
    return structuredClone(resources);
  }
  async listTemplates() {
    return structuredClone(templates);
  }
  /** Good enough for the twin's one template. */
  async expandTemplate(template: string, values: [string, string][]) {
    const given = new Map(values);
    const path = (given.get('path') ?? '').split('\n').filter(Boolean);
    return template
      .replace('{author}', encodeURIComponent(given.get('author') ?? ''))
      .replace('{/path*}', path.map((one) => `/${encodeURIComponent(one)}`).join(''))
      .replace('{?year}', given.get('year') ? `?year=${encodeURIComponent(given.get('year') ?? '')}` : '');
  }
  /** Everything that was typed for suggestions, for tests. */
  typed: SuggestInput[] = [];
  stopped = 0;
  async suggest(_server: string, input: SuggestInput): Promise<SuggestionsView> {
    this.typed.push(input);
    await this.wait(1);
    const values = authors.filter((one) => one.startsWith(input.value));
    return { values: values.map((value) => ({ value, label: value })), total: null, more: false };
  }
  async stopSuggestions() {
    this.stopped++;
  }
  async watchResource(name: string, uri: string, on: boolean) {
    const watched = this.servers.find((one) => one.name === name)?.watched.filter((one) => one.uri !== uri) ?? [];
    const state = { is: 'watched' as const };
    const one = { uri, label: uri, state, changes: 0, changed: false, missed: false };
    this.patch(name, { watched: on ? [...watched, one] : watched });
  }
}
