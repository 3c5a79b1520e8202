/** Small likings of the page's own, kept on this machine: how large its text is, and the like. Never anything of the host's. */
export function kept(key: string): string | null {
  try {
    return localStorage.getItem(`gatehouse.${key}`);
  } catch {
    return null; // storage that is switched off keeps nothing
  }
}

export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(`gatehouse.${key}`, value);
  } catch {
    // the liking holds until the window closes
  }
}
