/** The model endpoint in the settings: off at first, saved whole, its key in and never out. */
import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import EndpointSection from '../src/features/sampling/EndpointSection.svelte';
import { MemoryIpc } from '../src/ipc/memory';
import { find, get } from './asking';

let ipc: MemoryIpc;
const write = (id: string, value: string) => fireEvent.input(get(id), { target: { value } });
const disabled = (id: string) => (get(id) as HTMLButtonElement).disabled;
beforeEach(async () => {
  ipc = new MemoryIpc();
  render(EndpointSection, { ipc });
  await vi.waitFor(() => get('endpoint-save'));
});
afterEach(cleanup);

async function fill(url: string) {
  await fireEvent.click(get('endpoint-on'));
  await write('endpoint-url', url);
  await write('endpoint-model', 'llama3.2');
  await fireEvent.click(get('endpoint-save'));
  await vi.waitFor(() => expect(ipc.endpointState.settings.url).toBe(url));
}

it('is off, and has no place for a key before it has an address', () => {
  expect((get('endpoint-on') as HTMLInputElement).checked).toBe(false);
  expect(disabled('endpoint-save')).toBe(true);
  expect(find('endpoint-key')).toBeNull();
});

it('is saved whole, with its models by hint, and says where it is', async () => {
  await fireEvent.click(get('endpoint-add'));
  await write('endpoint-part-0', 'sonnet');
  await write('endpoint-for-0', 'big');
  await fireEvent.click(get('endpoint-add'));
  await fill('http://localhost:11434');
  expect(ipc.endpointState.settings).toEqual({
    on: true,
    kind: 'openAi',
    url: 'http://localhost:11434',
    model: 'llama3.2',
    mapping: [{ part: 'sonnet', model: 'big' }],
    maxTokens: 4096,
    seconds: 120,
  });
  await vi.waitFor(() => expect(get('endpoint-here').textContent).toBe('On this computer'));
  expect(disabled('endpoint-save')).toBe(true);
});

it('marks one elsewhere, and warns where it is not encrypted', async () => {
  await fill('http://models.example.org/v1');
  await vi.waitFor(() => expect(get('endpoint-remote').textContent).toBe('Remote'));
  expect(get('endpoint').textContent).toContain('not encrypted');
});

it('says what is wrong and keeps what was typed', async () => {
  vi.spyOn(ipc, 'setEndpoint').mockRejectedValue({ code: 'invalid', message: 'its address holds a name' });
  await write('endpoint-url', 'http://a:b@c');
  await fireEvent.click(get('endpoint-save'));
  await vi.waitFor(() => expect(get('endpoint-problem').textContent).toContain('holds a name'));
  expect((get('endpoint-url') as HTMLInputElement).value).toBe('http://a:b@c');
  await write('endpoint-tokens', 'many');
  await fireEvent.click(get('endpoint-save'));
  expect(get('endpoint-problem').textContent).toContain('whole numbers');
});

it('keeps a key and never shows it again', async () => {
  await fill('http://localhost:1');
  await vi.waitFor(() => get('endpoint-key'));
  vi.spyOn(ipc, 'setEndpointKey');
  await write('endpoint-key', 's3cr3t');
  await fireEvent.click(get('endpoint-keep'));
  await vi.waitFor(() => expect(get('endpoint').textContent).toContain('in the system’s keychain'));
  expect(ipc.setEndpointKey).toHaveBeenCalledWith('s3cr3t');
  expect((get('endpoint-key') as HTMLInputElement).value).toBe('');
  await fireEvent.click(get('endpoint-forget'));
  await vi.waitFor(() => expect(get('endpoint').textContent).toContain('No key is kept'));
  expect(ipc.setEndpointKey).toHaveBeenLastCalledWith(null);
});
