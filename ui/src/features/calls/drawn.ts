/** What every place of a form that is drawn may look at. */
import type { Document } from './refs';

export interface Drawn {
  document: Document;
  /** What is wrong, by JSON pointer. */
  problems: Record<string, string>;
  /** Hears of a place that the person changes, whose problem is then an old one. */
  touched: (path: string) => void;
}
