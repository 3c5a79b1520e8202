/** The last word from Rust: each value whole, as it came. Nothing here is changed by the page. */
import type {
  CallView,
  FolderView,
  GrantView,
  NoticeView,
  ServersFileView,
  ServerView,
  Settings,
  Update,
} from '../ipc/types';

export class Mirror {
  folders = $state.raw<FolderView[] | null>(null);
  servers = $state.raw<ServerView[] | null>(null);
  file = $state.raw<ServersFileView | null>(null);
  grants = $state.raw<GrantView[]>([]);
  calls = $state.raw<CallView[]>([]);
  notices = $state.raw<NoticeView[]>([]);
  settings = $state.raw<Settings | null>(null);

  /** True once there is enough to draw the window. */
  readonly ready = $derived(this.folders !== null && this.servers !== null && this.settings !== null);

  apply(update: Update) {
    switch (update.type) {
      case 'folders':
        this.folders = update.folders;
        break;
      case 'servers':
        this.servers = update.servers;
        this.file = update.file;
        break;
      case 'grants':
        this.grants = update.grants;
        break;
      case 'calls':
        this.calls = update.calls;
        break;
      case 'notices':
        this.notices = update.notices;
        break;
      case 'settings':
        this.settings = update.settings;
        break;
      case 'questions':
      case 'record':
      case 'traffic':
      case 'history':
        break; // the desk of questions, the record and the history keep their own
    }
  }
}
