/** The small window for a typed path. */
import { mount } from 'svelte';
import { Zoom } from './app/zoom.svelte';
import './base.css';
import PathForm from './features/folders/PathForm.svelte';
import { openIpc, reportErrors } from './ipc/open';

document.documentElement.dataset['theme'] = new URLSearchParams(location.search).get('theme') ?? 'system';
// As large as the main window.
new Zoom();
const target = document.getElementById('app') as HTMLElement;

openIpc()
  .then((ipc) => {
    reportErrors(ipc);
    mount(PathForm, { target, props: { ipc } });
  })
  .catch((error: unknown) => {
    target.textContent = error instanceof Error ? error.message : String(error);
  });
