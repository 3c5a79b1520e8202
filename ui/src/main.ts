/** The main window. */
import { mount } from 'svelte';
import App from './App.svelte';
import './base.css';
import { openIpc, reportErrors } from './ipc/open';

const target = document.getElementById('app') as HTMLElement;

openIpc()
  .then((ipc) => {
    reportErrors(ipc);
    mount(App, { target, props: { ipc } });
  })
  .catch((error: unknown) => {
    target.textContent = error instanceof Error ? error.message : String(error);
  });
