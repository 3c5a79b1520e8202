/** Scenes for a browser: `?scene=empty`, `lively`, `long`, `late`, `sheet`, `sample`, `sampled`, `link`, `results`. Only while developing. */
import type { MemoryIpc } from './memory';
import * as data from './memory-data';
import { gallery } from './memory-results';
import { modelAnswer, sampleRequest } from './memory-sampling';
import type { Outcome, RecordRow } from './types';

export function scene(ipc: MemoryIpc, name: string): MemoryIpc {
  ipc.pace = 250;
  if (name === 'empty') return ipc;
  ipc.folders = data.demoFolders();
  ipc.servers = data.demoServers();
  ipc.rows = rows();
  ipc.grants = [
    grant(1, 'notes', '/home/ada/notes', true, 'always', true),
    grant(2, 'notes', '/home/ada/work/analytical-engine', true, 'session', true),
    grant(3, 'git-history', null, false, 'always', false),
  ];
  if (name === 'long') {
    const deep = 'a-folder-whose-name-goes-on/'.repeat(5);
    ipc.folders.push(
      data.folder(8, `/home/ada/${deep}the-end-of-the-path`, {
        name: 'A name that somebody made much longer than any list is wide',
      }),
    );
    ipc.folders.push(
      data.folder(9, '/home/ada/locked', { health: { state: 'unreadable', reason: 'permission denied' } }),
    );
    for (let id = 10; id < 14; id++) ipc.folders.push(data.folder(id, `/home/ada/work/part-${id}`));
  }
  if (name === 'late') {
    setTimeout(() => void ipc.ask('notes', { kind: 'roots', folders: data.choices(ipc.folders) }), 1500);
    setTimeout(() => void ipc.ask('git-history', { kind: 'trust', previous: null }), 2500);
  }
  if (name === 'sample') void ipc.ask('notes', sampleRequest);
  if (name === 'sampled') void ipc.ask('notes', { ...sampleRequest, draft: modelAnswer(1) });
  if (name === 'link') void ipc.ask('notes', data.page);
  if (name === 'sheet') {
    const form = { kind: 'form' as const, message: 'A few words, please.', fields: data.formFields, draft: null };
    const roots = { kind: 'roots' as const, folders: data.choices(ipc.folders) };
    const parts = [roots, form, data.page, sampleRequest];
    void ipc.ask('notes', { kind: 'sheet', parts });
  }
  if (name === 'results') ipc.gallery = gallery();
  if (name === 'nopicker') ipc.noPicker = true;
  if (name === 'notices') {
    ipc.notices = [
      {
        id: 1,
        message: 'servers.json was changed by another program; notes was started again with its new definition.',
      },
      { id: 2, message: 'A call to notes was under way when Gatehouse ended. Nothing more was sent.' },
    ];
  }
  return ipc;
}

function grant(
  id: number,
  server: string,
  folder: string | null,
  allow: boolean,
  lifetime: 'session' | 'always',
  inForce: boolean,
) {
  const about = 'folders' as const;
  const kept = { allow, lifetime, givenAt: '2026-08-02T09:14:05Z' };
  return { id, server, fingerprint: '9f2c41d07ab3', inForce, about, folder, endpoint: null, ...kept };
}

function rows(): RecordRow[] {
  const outcomes: Outcome[] = [
    'shared',
    'sharedNone',
    'refused',
    'notOffered',
    'formSent',
    'formRefused',
    'linkOpened',
    'linkRefused',
    'sampled',
    'sampleRefused',
    'modelAsked',
    'abandoned',
    'expired',
  ];
  return outcomes.map((outcome, index) => ({
    seq: 40 - index,
    at: new Date(Date.UTC(2026, 7, 4, 14, 40 - index * 7, 3, 250)).toISOString(),
    server: index % 3 ? 'notes' : 'git-history',
    fingerprint: '9f2c41d07ab3',
    channel: index % 3 ? 'input_required' : 'roots/list',
    occasion: index % 4 === 3 ? null : 'tools/call find_notes',
    round: 1,
    outcome,
    decidedBy:
      index === 0 ? { by: 'grants', ids: [1, 2] } : index > 5 ? { by: 'rule' } : { by: 'person', remembered: null },
    folders: outcome === 'shared' ? [{ uri: 'file:///home/ada/notes', name: 'notes' }] : [],
    withheld: outcome === 'shared' ? [{ path: '/home/ada/work/old-loom', reason: 'nothing stands at the path' }] : [],
    sent:
      outcome === 'shared'
        ? '{"inputResponses":{"folders":{"roots":[{"uri":"file:///home/ada/notes","name":"notes"}]}}}'
        : null,
    note: null,
    call: index % 4 === 3 ? null : { run: 1, number: 90 + index },
  }));
}
