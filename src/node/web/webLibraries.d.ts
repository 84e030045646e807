// The parts Cairn uses of four packages: two have no types, and the types of the others require those of a browser.

declare module 'linkedom' {
  export interface PageElement {
    readonly textContent: string | null;
    getAttribute(name: string): string | null;
    setAttribute(name: string, value: string): void;
    querySelectorAll(selector: string): Iterable<PageElement>;
  }
  export interface PageDocument extends PageElement {
    readonly body: PageElement;
    createElement(name: string): PageElement;
  }
  export class DOMParser {
    parseFromString(text: string, type: 'text/xml'): PageDocument;
  }
  export function parseHTML(html: string): { document: PageDocument };
}

declare module '@mozilla/readability' {
  import type { PageDocument } from 'linkedom';
  export class Readability {
    constructor(document: PageDocument, options: { keepClasses: boolean; charThreshold: number });
    parse(): { title?: string | null; content?: string | null } | null;
  }
}

declare module 'turndown' {
  import type { PageElement } from 'linkedom';
  export default class TurndownService {
    constructor(options: Readonly<Record<string, string>>);
    use(plugin: (service: TurndownService) => void): this;
    remove(names: readonly string[]): this;
    turndown(node: PageElement): string;
  }
}

declare module '@joplin/turndown-plugin-gfm' {
  import type TurndownService from 'turndown';
  export function gfm(service: TurndownService): void;
}
