/**
 * Puts text on the clipboard. Where the page has no clipboard of its own, the desktop's old way takes its place. Text that has
 * to be fetched first is handed over as a promise, since the click that allows it is over when it is there.
 *
 * Rejects where the text can't be had.
 */
export async function copyText(text: string | Promise<string>, beside: HTMLElement | null): Promise<boolean> {
  try {
    if (typeof text === 'string') await navigator.clipboard.writeText(text);
    else await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text.then(asBlob) })]);
    return true;
  } catch {
    return copyBySelection(await text, beside);
  }
}

const asBlob = (text: string) => new Blob([text], { type: 'text/plain' });

/** Beside an element, since a dialog takes the focus back from whatever stands outside it. */
function copyBySelection(text: string, beside: HTMLElement | null): boolean {
  const field = document.createElement('textarea');
  const focused = document.activeElement;
  field.className = 'unseen';
  field.readOnly = true;
  field.tabIndex = -1;
  field.setAttribute('aria-hidden', 'true');
  field.value = text;
  (beside?.parentElement ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
