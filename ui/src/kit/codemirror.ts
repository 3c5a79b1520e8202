/**
 * The JSON editor itself, loaded when somebody opens it. Its styles must reach the page without a `<style>` element, which
 * the policy of the window forbids: CodeMirror's style module writes constructable sheets only for a root without a head,
 * so the document is handed to it as one.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, ensureSyntaxTree, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';

export interface Mark {
  /** JSON pointer to the place, or an offset into the text. */
  at: string | number;
  message: string;
}
export interface Editor {
  /** Takes another text, unless it is the one that stands there. */
  write(text: string): void;
  mark(marks: Mark[]): void;
  focus(): void;
  destroy(): void;
}
interface Options {
  text: string;
  /** Attributes of the element that is typed into. */
  attributes: Record<string, string>;
  onchange: (text: string) => void;
}

const headless = new Proxy(document, {
  get(target, key) {
    if (key === 'head') return null;
    const value: unknown = Reflect.get(target, key, target);
    return typeof value === 'function' ? (value.bind(target) as unknown) : value;
  },
  set: (target, key, value) => Reflect.set(target, key, value, target),
});

const theme = EditorView.theme({
  '&': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-s)',
    background: 'var(--surface)',
    color: 'var(--ink)',
    fontSize: 'var(--text-s)',
  },
  '&.cm-focused': { outline: 'var(--ring) solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', minHeight: '7.5rem', maxHeight: 'min(22rem, 42vh)' },
  '.cm-content': { caretColor: 'var(--ink)', minHeight: '7.5rem' },
  '.cm-gutters.cm-gutters': { minHeight: '7.5rem !important' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': {
    borderRight: '1px solid var(--line)',
    borderRadius: 'var(--radius-s) 0 0 var(--radius-s)',
    background: 'var(--sunken)',
    color: 'var(--ink-3)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--accent-soft)',
  },
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': {
    background: 'var(--hover)',
    outline: '1px solid var(--line)',
  },
  '&.cm-focused .cm-nonmatchingBracket, .cm-nonmatchingBracket': { background: 'var(--brick-soft)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--brick)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintPoint-error:after': { borderBottomColor: 'var(--brick)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius-s)',
    background: 'var(--surface)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip.cm-tooltip-lint': { maxWidth: '28rem' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--brick)', fontFamily: 'var(--sans)', overflowWrap: 'anywhere' },
  '.tok-propertyName': { color: 'var(--accent)' },
  '.tok-string': { color: 'var(--ink)' },
  '.tok-number, .tok-bool, .tok-null, .tok-keyword': { color: 'var(--brass)' },
  '.tok-punctuation': { color: 'var(--ink-2)' },
});

export function openEditor(parent: HTMLElement, { text, attributes, onchange }: Options): Editor {
  let quiet = false;
  const view = new EditorView({
    parent,
    root: headless,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of('  '),
        bracketMatching(),
        json(),
        syntaxHighlighting(classHighlighter),
        EditorView.lineWrapping,
        // Tab leaves the editor, as it leaves every field; Mod-] and Mod-[ indent.
        keymap.of([...lintKeymap, ...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of(attributes),
        EditorView.domEventHandlers({ beforeinput: overwrite }),
        theme,
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !quiet) onchange(update.state.doc.toString());
        }),
      ],
    }),
  });
  const write = (next: string) => {
    const { doc } = view.state;
    if (doc.toString() !== next) view.dispatch({ changes: { from: 0, to: doc.length, insert: next } });
  };
  // What drives the page from outside reads and writes it like any other field.
  Object.defineProperty(view.contentDOM, 'value', {
    get: () => view.state.doc.toString(),
    set: write,
    configurable: true,
  });
  return {
    write(next) {
      quiet = true;
      write(next);
      quiet = false;
    },
    mark(marks) {
      view.dispatch(
        setDiagnostics(
          view.state,
          marks.map((mark) => diagnosticOf(view.state, mark)),
        ),
      );
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

function diagnosticOf(state: EditorState, { at, message }: Mark): Diagnostic {
  const [from, to] = typeof at === 'number' ? [at, at + 1] : placeOf(state, at);
  const end = state.doc.length;
  return { from: Math.min(from, Math.max(0, end - 1)), to: Math.min(to, end), severity: 'error', message };
}

/** Text over a selection goes in here: a browser would wrap it in a `style` attribute first, which the policy forbids too. */
function overwrite(event: InputEvent, view: EditorView): boolean {
  if (event.inputType !== 'insertText' || !event.data || event.isComposing || view.composing) return false;
  if (view.state.selection.main.empty) return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
  return true;
}

/** Where a JSON pointer leads in the text: a scalar whole, of a list or object its opening sign. */
function placeOf(state: EditorState, path: string): [number, number] {
  const keys = path.split('/').slice(1);
  let node = ensureSyntaxTree(state, state.doc.length, 200)?.topNode.firstChild ?? null;
  for (const raw of keys) {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    if (node?.name === 'Array') {
      let item = node.firstChild?.nextSibling ?? null;
      for (let at = 0; item && at < Number(key); at++) item = item.nextSibling;
      node = item;
    } else if (node?.name === 'Object') {
      const property = node.getChildren('Property').findLast((one) => {
        const name = one.getChild('PropertyName');
        return name !== null && nameOf(state.sliceDoc(name.from, name.to)) === key;
      });
      node = property?.lastChild ?? null;
    }
  }
  if (!node) return [0, 1];
  return node.name === 'Object' || node.name === 'Array' ? [node.from, node.from + 1] : [node.from, node.to];
}

function nameOf(quoted: string): string | null {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
}
