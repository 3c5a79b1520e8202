/**
 * Markdown as a tree of a few known kinds. No HTML comes out of it: raw HTML stays the text it is, a picture is its words and
 * its address, and a link goes through the gate. It is imported when somebody asks for Markdown.
 */
import MarkdownIt, { type Token } from 'markdown-it';

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'image'; alt: string; href: string }
  | { kind: 'link'; href: string; inside: Inline[] }
  | { kind: 'strong' | 'em' | 'del'; inside: Inline[] };
export type Block =
  | { kind: 'paragraph'; inside: Inline[] }
  | { kind: 'heading'; level: number; inside: Inline[] }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'rule' }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] };

/** More than that is shown as plain text: a parser may be made slow by text that was written for it. */
export const MOST_MARKDOWN = 64 * 1024;

const parser = new MarkdownIt('default', { html: false, linkify: false, typographer: false, maxNesting: 20 });
// Every address is kept as it was written; the gate decides what may be opened.
parser.validateLink = () => true;
parser.normalizeLink = (address) => address;
parser.normalizeLinkText = (address) => address;

export function readMarkdown(text: string): Block[] {
  return new Reader(parser.parse(text, {})).blocks();
}

class Reader {
  #at = 0;
  constructor(readonly tokens: Token[]) {}

  /** Blocks up to the end of what they stand in. */
  blocks(): Block[] {
    const found: Block[] = [];
    for (; this.#at < this.tokens.length; this.#at++) {
      const token = this.tokens[this.#at] as Token;
      if (token.nesting < 0) break;
      found.push(...this.#block(token));
    }
    return found;
  }
  /** What stands between an opening token and its end. */
  #inside(): Block[] {
    this.#at++;
    return this.blocks();
  }
  #block(token: Token): Block[] {
    switch (token.type) {
      case 'paragraph_open':
        return [{ kind: 'paragraph', inside: this.#words() }];
      case 'heading_open':
        return [{ kind: 'heading', level: Number(token.tag.slice(1)), inside: this.#words() }];
      case 'fence':
      case 'code_block':
        return [{ kind: 'code', text: token.content.replace(/\n$/, ''), language: token.info.trim() }];
      case 'hr':
        return [{ kind: 'rule' }];
      case 'blockquote_open':
        return [{ kind: 'quote', blocks: this.#inside() }];
      case 'bullet_list_open':
      case 'ordered_list_open':
        return [this.#list(token)];
      case 'table_open':
        return [this.#table()];
      case 'inline':
        return [{ kind: 'paragraph', inside: inlines(token.children ?? []) }];
      default: {
        const text = token.content;
        return text ? [{ kind: 'paragraph', inside: [{ kind: 'text', text }] }] : [];
      }
    }
  }
  #words(): Inline[] {
    const words = inlines(this.tokens[this.#at + 1]?.children ?? []);
    this.#at += 2;
    return words;
  }
  #list(open: Token): Block {
    const items: Block[][] = [];
    this.#at++;
    for (; this.tokens[this.#at]?.type === 'list_item_open'; this.#at++) items.push(this.#inside());
    const start = Number(open.attrGet('start') ?? 1);
    return { kind: 'list', ordered: open.type === 'ordered_list_open', start, items };
  }
  #table(): Block {
    const rows: Inline[][][] = [];
    for (; this.tokens[this.#at]?.type !== 'table_close' && this.#at < this.tokens.length; this.#at++) {
      const token = this.tokens[this.#at] as Token;
      if (token.type === 'tr_open') rows.push([]);
      if (token.type === 'inline') rows.at(-1)?.push(inlines(token.children ?? []));
    }
    return { kind: 'table', head: rows[0] ?? [], rows: rows.slice(1) };
  }
}

function inlines(tokens: Token[]): Inline[] {
  const whole: Inline[] = [];
  const open: Inline[][] = [whole];
  const add = (inline: Inline) => void open.at(-1)?.push(inline);
  const into = (inline: Inline & { inside: Inline[] }) => {
    add(inline);
    open.push(inline.inside);
  };
  for (const token of tokens) {
    if (token.nesting < 0) open.pop();
    else if (token.type === 'strong_open') into({ kind: 'strong', inside: [] });
    else if (token.type === 'em_open') into({ kind: 'em', inside: [] });
    else if (token.type === 's_open') into({ kind: 'del', inside: [] });
    else if (token.type === 'link_open') into({ kind: 'link', href: String(token.attrGet('href') ?? ''), inside: [] });
    else if (token.type === 'image')
      add({ kind: 'image', alt: token.content, href: String(token.attrGet('src') ?? '') });
    else if (token.type === 'code_inline') add({ kind: 'code', text: token.content });
    else if (token.type === 'hardbreak') add({ kind: 'break' });
    else if (token.type === 'softbreak') add({ kind: 'text', text: '\n' });
    else if (token.content) add({ kind: 'text', text: token.content });
  }
  return whole;
}
