/** Puts text on the clipboard. Where the page has no clipboard of its own, the desktop's old way takes its place. */
export async function copyText(text: string, beside: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, beside);
  }
}

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
