/** The model endpoint as it is being entered; what is set is the host's. */
import type { EndpointKind, EndpointSettings, HintMapping } from '../../ipc/types';

export class EndpointDraft {
  on = $state(false);
  kind = $state<EndpointKind>('openAi');
  url = $state('');
  model = $state('');
  maxTokens = $state('');
  seconds = $state('');
  mapping = $state<HintMapping[]>([]);

  read(settings: EndpointSettings) {
    this.on = settings.on;
    this.kind = settings.kind;
    this.url = settings.url;
    this.model = settings.model;
    this.maxTokens = String(settings.maxTokens);
    this.seconds = String(settings.seconds);
    this.mapping = settings.mapping.map((one) => ({ ...one }));
  }
  add() {
    this.mapping.push({ part: '', model: '' });
  }
  remove(at: number) {
    this.mapping.splice(at, 1);
  }

  /** What is wrong with the numbers, in words; all else is the host's to judge. */
  readonly wrong = $derived(
    !/^\d{1,9}$/.test(this.maxTokens.trim()) || !/^\d{1,9}$/.test(this.seconds.trim())
      ? 'The tokens and the time limit must be whole numbers.'
      : null,
  );
  /** Null where a number is none. */
  settings(): EndpointSettings | null {
    if (this.wrong) return null;
    const mapping = this.mapping.filter((one) => one.part.trim() && one.model.trim());
    return {
      on: this.on,
      kind: this.kind,
      url: this.url.trim(),
      model: this.model.trim(),
      mapping: $state.snapshot(mapping),
      maxTokens: Number(this.maxTokens),
      seconds: Number(this.seconds),
    };
  }
  differs(settings: EndpointSettings): boolean {
    const own = this.settings();
    return own === null || JSON.stringify(own) !== JSON.stringify({ ...settings, mapping: settings.mapping });
  }
}
