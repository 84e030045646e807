import { gfm } from '@joplin/turndown-plugin-gfm';
import { Readability } from '@mozilla/readability';
import { DOMParser, type PageDocument, type PageElement, parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import { parentPort } from 'node:worker_threads';
import type { MarkupItem, MarkupQuery } from '../../engine';

/** If the article is shorter than this many characters, the whole page is used. */
const MIN_ARTICLE = 200;

/**
 * Runs in a separate thread, which `markdownOf` terminates if it takes too long: a malicious page may need minutes or overflow
 * the stack.
 */
parentPort?.once('message', (question: PageQuestion) => {
  parentPort?.postMessage(
    question.kind === 'items' ? itemsOf(question.text, question.query) : htmlToMarkdown(question.html, question.url),
  );
});

/** A request to the thread. */
export type PageQuestion =
  { kind: 'markdown'; html: string; url: string } | { kind: 'items'; text: string; query: MarkupQuery };

/** Returns the fields of each item, trimmed. */
function itemsOf(text: string, { type, each, fields }: MarkupQuery): MarkupItem[] {
  const document =
    type === 'xml'
      ? new DOMParser().parseFromString(text, 'text/xml')
      : parseHTML(text.replace(/^\uFEFF/, '')).document;
  const read = (element: PageElement, attribute: string | undefined) =>
    ((attribute === undefined ? element.textContent : element.getAttribute(attribute)) ?? '').trim();
  return [...document.querySelectorAll(each)].map((item) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, { at, attribute }]) => [
        name,
        [...item.querySelectorAll(at)].map((element) => read(element, attribute)),
      ]),
    ),
  );
}

/** Converts the readable part of a page to Markdown, or the whole page if no part stands out. Links become absolute. */
export function htmlToMarkdown(html: string, url: string): { title: string; markdown: string } {
  const page = parsePage(html, url);
  const [named] = page.querySelectorAll('title');
  const title = named?.textContent?.trim() ?? '';
  const article = new Readability(page, { keepClasses: true, charThreshold: MIN_ARTICLE }).parse();
  const content = article?.content
    ? parseHTML(`<html><body>${article.content}</body></html>`).document.body
    : // Parsed again, because the search for an article modified the page.
      parsePage(html, url).body;
  return { title: article?.title?.trim() || title, markdown: service().turndown(content).trim() };
}

function service(): TurndownService {
  const options = { headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', emDelimiter: '*' };
  return new TurndownService(options)
    .use(gfm)
    .remove(['title', 'script', 'style', 'noscript', 'template', 'iframe', 'form']);
}

const ADDRESSES = [
  ['a[href]', 'href'],
  ['img[src]', 'src'],
] as const;

/** Pages omit parts of their outer structure; browsers fix that, linkedom does not, so each page gets a new one. */
const FRAME = /<!doctype[^<>]*>|<\/?(?:html|head|body)(?:\s[^<>]*)?>/gi;

/** Parses a page into a document with absolute links. */
function parsePage(html: string, url: string): PageDocument {
  const { document } = parseHTML(`<html><head></head><body>${html.replace(FRAME, '')}</body></html>`);
  const [base] = document.querySelectorAll('base[href]');
  const from = resolved(base?.getAttribute('href') ?? '', url);
  for (const [selector, name] of ADDRESSES) {
    for (const element of document.querySelectorAll(selector)) {
      element.setAttribute(name, resolved(element.getAttribute(name) ?? '', from));
    }
  }
  return document;
}

function resolved(address: string, from: string): string {
  return URL.canParse(address, from) ? new URL(address, from).href : address;
}

/** Adds the properties `rows` and `cells`, which browsers have and linkedom lacks; the Markdown conversion of tables needs them. */
function addTableParts(): void {
  const { document } = parseHTML('<html><body></body></html>');
  for (const [tag, name, selector] of [
    ['table', 'rows', 'tr'],
    ['tr', 'cells', ':scope > td, :scope > th'],
  ] as const) {
    // Cached, because they are read for each cell and the document does not change.
    const found = new WeakMap<PageElement, readonly PageElement[]>();
    const prototype: unknown = Object.getPrototypeOf(document.createElement(tag));
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: PageElement) {
        const known = found.get(this);
        if (known) return known;
        const parts = [...this.querySelectorAll(selector)];
        found.set(this, parts);
        return parts;
      },
    });
  }
}

addTableParts();
