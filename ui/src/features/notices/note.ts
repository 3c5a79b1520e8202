/** A notice of the host's, or a note that the page itself makes about what a click did. */
export interface Note {
  key: string;
  /** The host's number, where it is the host's. */
  id: number | null;
  message: string;
  action: { label: string; run: () => void } | null;
}
