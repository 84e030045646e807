import { type PageDocument, type PageElement, parseHTML } from 'linkedom';

const ADDRESSES = [
  ['a[href]', 'href'],
  ['img[src]', 'src'],
] as const;

/** Pages leave parts of their frame out, which browsers put right and linkedom does not; so each gets a new one. */
const FRAME = /<!doctype[^>]*>|<\/?(?:html|head|body)(?:\s[^>]*)?>/gi;

/** A page as a document of its own, its links absolute. */
export function parsePage(html: string, url: string): PageDocument {
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

/** Tables have these in a browser, and the Markdown of a table is made from them; linkedom leaves them out. */
function addTableParts(): void {
  const { document } = parseHTML('<html><body></body></html>');
  for (const [tag, name, selector] of [
    ['table', 'rows', 'tr'],
    ['tr', 'cells', ':scope > td, :scope > th'],
  ] as const) {
    // Asked for each cell, of a document that is as it was.
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
