import DOMPurify, { type Config } from 'dompurify';
import { type Links, Marked, type RendererObject } from 'marked';
import { t } from '../../src/base/l10n';
import { safeLine, safeText } from '../../src/base/shown/safeText';
import { createCodeBlock } from './codeBlock';
import { escapeHtml } from './escapeHtml';
import { parseLinkTarget, plainAddress, whereItLeads } from './linkTarget';

/** Headings in messages rank below those of the panel and the turn. */
const HEADING_SHIFT = 2;

const renderer: RendererObject = {
  /** Raw HTML is shown as text, never rendered. */
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
  /** Models must not be able to load anything: an image becomes a link with its description. */
  image: ({ href, title, text }) => anchor(href, title, { words: text, html: escapeHtml(text || href) }),
};

const marked = new Marked({ gfm: true, renderer });

const SANITIZE: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'a'],
    ...['em', 'strong', 'del', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: ['href', 'title', 'align', 'start', 'class', 'data-path', 'data-line'],
  // Attributes whose values are not addresses and are exempt from URL validation.
  ADD_URI_SAFE_ATTR: ['align', 'start', 'data-path', 'data-line'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#$)/i,
  RETURN_DOM_FRAGMENT: true,
};

/** Creates the link definitions, by label, that all blocks of one text share. */
export function newLinks(): Links {
  return new marked.Lexer().tokens.links;
}

/**
 * Renders one Markdown block as safe nodes, or as plain source if it is nested too deeply to parse. Definitions it contains are
 * added to `links`.
 */
export function renderMarkdown(source: string, links: Links): DocumentFragment {
  if (isTooDeep(source)) return plainFragment(source);
  try {
    return parsed(source, links);
  } catch (error) {
    // Inline markup can be nested too deeply as well.
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
  for (const item of fragment.querySelectorAll('li')) item.classList.toggle('task', /^[☐☑] /.test(item.textContent));
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

/** The tooltip starts with the target, whatever title was written for it. */
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

/** Lets a wide table scroll on its own, including with the keyboard. */
function wrapTable(table: HTMLTableElement): void {
  const box = document.createElement('div');
  box.className = 'table-scroll scrolls-aside';
  box.tabIndex = 0;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', t('Table'));
  table.replaceWith(box);
  box.append(table);
}

/** Deeper nesting is unreadable, and the parser recurses for each level. */
const DEEPEST = 60;

const MARKER = /[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;

/** Returns true if quotes and lists are nested so deeply that the source is better shown as plain text. */
function isTooDeep(source: string): boolean {
  /** Indentation of the list items that contain the current line. */
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

/** Marks invisible characters in rendered nodes, where HTML entities may have produced them too. */
function makeSafe(root: DocumentFragment): void {
  const texts = document.createNodeIterator(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (node instanceof Text) node.data = safeText(node.data);
  }
  for (const element of root.querySelectorAll<HTMLElement>('[title]')) element.title = safeText(element.title);
}
