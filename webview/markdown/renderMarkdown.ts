import DOMPurify, { type Config } from 'dompurify';
import { type Links, Marked, type RendererObject } from 'marked';
import { t } from '../../src/base/l10n';
import { safeLine, safeText } from '../../src/base/shown/safeText';
import { createCodeBlock } from './codeBlock';
import { escapeHtml } from './escapeHtml';
import { parseLinkTarget, plainAddress, whereItLeads } from './linkTarget';

/** Our headings stand below the panel's title and the turn's. */
const HEADING_SHIFT = 2;

const renderer: RendererObject = {
  /** Raw HTML is shown, never made. */
  html: ({ text, block }) => (block ? `<p>${escapeHtml(text)}</p>` : escapeHtml(text)),
  heading({ tokens, depth }) {
    const level = Math.min(6, depth + HEADING_SHIFT);
    return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
  },
  checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  link({ href, title, tokens }) {
    const words = this.parser.parseInline(tokens, this.parser.textRenderer);
    return anchor(href, title ?? null, { words, html: this.parser.parseInline(tokens) });
  },
  /** Nothing is loaded because a model wrote it: an image is a link that says what it shows. */
  image: ({ href, title, text }) => anchor(href, title, { words: text, html: escapeHtml(text || href) }),
};

const marked = new Marked({ gfm: true, renderer });

const SANITIZE: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'a'],
    ...['em', 'strong', 'del', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: ['href', 'title', 'align', 'start', 'class', 'data-path', 'data-line'],
  // Their values are no addresses and need not look like one.
  ADD_URI_SAFE_ATTR: ['align', 'start', 'data-path', 'data-line'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#$)/i,
  RETURN_DOM_FRAGMENT: true,
};

/** Link definitions by label, shared by all blocks of one text. */
export function newLinks(): Links {
  return new marked.Lexer().tokens.links;
}

/**
 * One block of Markdown as safe nodes; as it is written when it is nested too deep to be read. Definitions it contains are added
 * to `links`.
 */
export function renderMarkdown(source: string, links: Links): DocumentFragment {
  if (isTooDeep(source)) return plainFragment(source);
  try {
    return parsed(source, links);
  } catch (error) {
    // Marks inside a line can be nested, too.
    if (error instanceof RangeError) return plainFragment(source);
    throw error;
  }
}

function parsed(source: string, links: Links): DocumentFragment {
  const lexer = new marked.Lexer(marked.defaults);
  lexer.tokens.links = links;
  const html = new marked.Parser(marked.defaults).parse(lexer.lex(source));
  const fragment = DOMPurify.sanitize(html, SANITIZE);
  makeSafe(fragment);
  fragment.querySelectorAll('pre').forEach(dressCode);
  fragment.querySelectorAll('table').forEach(wrapTable);
  return fragment;
}

function plainFragment(source: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const plain = document.createElement('p');
  plain.className = 'as-written';
  plain.textContent = source;
  fragment.append(plain);
  makeSafe(fragment);
  return fragment;
}

/** The tooltip begins with where it leads, whatever title was written for it. */
function anchor(href: string, title: string | null, { words, html }: { words: string; html: string }): string {
  const target = parseLinkTarget(href);
  if (!target) return html;
  const leads = whereItLeads(words, target);
  const inner = leads === '' ? html : `${html} ${escapeHtml(safeLine(leads, 300))}`;
  const address = safeLine(plainAddress(target), 1000);
  const hint = ` title="${escapeHtml(title ? `${address}\n${safeLine(title, 200)}` : address)}"`;
  if (target.kind === 'url') return `<a href="${escapeHtml(target.url)}"${hint}>${inner}</a>`;
  const line = target.line === undefined ? '' : ` data-line="${target.line}"`;
  return `<a href="#" data-path="${escapeHtml(target.path)}"${line}${hint}>${inner}</a>`;
}

function dressCode(pre: HTMLPreElement): void {
  const code = pre.querySelector('code');
  const language = /(?:^| )language-(\S+)/.exec(code?.className ?? '')?.[1] ?? '';
  const block = createCodeBlock(language);
  block.append(pre.textContent.replace(/\n$/, ''));
  pre.replaceWith(block.element);
}

/** A wide table scrolls by itself, also with the keyboard. */
function wrapTable(table: HTMLTableElement): void {
  const box = document.createElement('div');
  box.className = 'table-scroll scrolls-aside';
  box.tabIndex = 0;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', t('Table'));
  table.replaceWith(box);
  box.append(table);
}

/** Nobody reads what is nested deeper, and the parser calls itself for each level. */
const DEEPEST = 60;

const MARKER = /[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;

/** Whether quotes and lists stand in each other so deep that they are better shown as they are written. */
function isTooDeep(source: string): boolean {
  /** Where the items begin in which the line at hand stands. */
  const indents: number[] = [];
  for (const line of source.split('\n')) {
    const indent = line.search(/\S/);
    if (indent < 0) continue;
    while ((indents.at(-1) ?? -1) >= indent) indents.pop();
    const markers = markersOf(line);
    if (markers > 0) indents.push(indent);
    if (indents.length + markers > DEEPEST) return true;
  }
  return false;
}

function markersOf(line: string): number {
  let count = 0;
  MARKER.lastIndex = 0;
  while (count <= DEEPEST && MARKER.test(line)) count++;
  return count;
}

/** Marks in nodes that were made of Markdown what a person would not see: an entity can stand for it, too. */
function makeSafe(root: DocumentFragment): void {
  const texts = document.createNodeIterator(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (node instanceof Text) node.data = safeText(node.data);
  }
  for (const element of root.querySelectorAll<HTMLElement>('[title]')) element.title = safeText(element.title);
}
