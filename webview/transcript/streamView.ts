import type { Links } from 'marked';
import type { Disposable } from '../../src/base/disposable';
import { SafeStream } from '../../src/base/shown/safeStream';
import { type Block, BlockSplitter } from '../markdown/blockSplitter';
import { type CodeBlock, createCodeBlock } from '../markdown/codeBlock';
import type { Highlighter } from '../markdown/highlighter';
import { newLinks, renderMarkdown } from '../markdown/renderMarkdown';
import { PageWatch } from './pageWatch';
import { type PageLimits, StreamPage } from './streamPage';

/** The first page always stays in the document, so it is short. */
const FIRST_PAGE = { blocks: 10, size: 2_000 };
const PAGE = { blocks: 40, size: 4_000 };
/** A continued table repeats its header on the next page, so its pages are longer. */
const TABLE_PAGE = { blocks: 40, size: 12_000 };
/** A longer paragraph is not parsed again with each delta: new text is appended as plain text until the paragraph closes. */
const LONG_PARAGRAPH = 4_000;

/**
 * Renders growing Markdown from sanitized text, so that copied code is what was seen. A closed block is rendered once; only the
 * open one changes, at most once per frame. Parts of a long answer that are far from the view are removed from the document.
 */
export class StreamView implements Disposable {
  private readonly splitter = new BlockSplitter();
  private readonly safe = new SafeStream();
  private readonly links: Links = newLinks();
  private readonly pages: StreamPage[] = [];
  private page: StreamPage;
  private watch: PageWatch | undefined;
  private openBox: HTMLElement | undefined;
  private openFence: OpenFence | undefined;
  private shown = '';
  private frame: number | undefined;

  constructor(
    private readonly element: HTMLElement,
    private readonly highlighter: Highlighter,
  ) {
    this.page = this.newPage();
  }

  /** Adds text, which is rendered with the next frame. */
  feed(text: string): void {
    this.splitter.feed(this.safe.push(text));
    this.frame ??= requestAnimationFrame(() => this.draw());
  }

  /** Fills the emptied pages that contain the pattern. */
  fill(pattern: RegExp): void {
    for (const page of this.pages) if (page.has(pattern)) page.fill();
  }

  /** Renders everything now, as there is no more text. */
  finish(): void {
    this.splitter.feed(this.safe.end());
    this.splitter.end();
    this.draw();
  }

  /** Renders what was fed, without waiting for the next frame. */
  draw(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    const closed = this.splitter.takeClosed();
    closed.forEach((block, at) => this.addClosed(block, closed[at + 1] ?? this.splitter.open));
    this.drawOpen();
  }

  dispose(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    this.openFence?.dispose();
    this.watch?.dispose();
  }

  /**
   * Starts a page; the previous one gets no more blocks. The first page is never emptied, because screen readers announce how an
   * answer begins.
   */
  private newPage(): StreamPage {
    const before = this.pages.at(-1);
    if (before && this.pages.length > 1) {
      this.watch ??= new PageWatch(this.element);
      this.watch.add(before);
    }
    const page = new StreamPage(this.links, this.highlighter);
    this.pages.push(page);
    this.element.append(page.element);
    return page;
  }

  private addClosed(block: Block, next: Block | null): void {
    this.removeOpenBox();
    const known = Object.keys(this.links).length;
    const fence = block.kind === 'fence' ? this.closeFence(block) : undefined;
    this.page.add(block, fence);
    if (Object.keys(this.links).length > known) for (const page of this.pages) page.drawBracketedAgain();
    this.shown = '';
    if (this.page.isFull(this.limitsBefore(next))) this.page = this.newPage();
  }

  private limitsBefore(next: Block | null): PageLimits {
    if (next?.kind === 'table' && next.continues) return TABLE_PAGE;
    return this.pages.length === 1 ? FIRST_PAGE : PAGE;
  }

  private closeFence(block: Block) {
    const open = this.openFence;
    this.openFence = undefined;
    open?.show(block.source);
    open?.dispose();
    return open?.block;
  }

  private drawOpen(): void {
    const { open } = this.splitter;
    if (!open) this.removeOpenBox();
    else if (open.kind === 'fence') this.drawOpenFence(open);
    else this.drawOpenText(open);
  }

  private drawOpenFence(open: Block): void {
    this.removeOpenBox();
    // The closing fence arrives character by character and must not appear as a line of code.
    const source = open.source.replace(/(?:^|\n) {0,3}(?:`+|~+)$/, '');
    // The info string may still grow while its line is unfinished.
    if (source === '' && this.openFence?.block.language !== open.info) this.removeOpenFence();
    if (!this.openFence) {
      this.openFence = new OpenFence(open.info, this.highlighter);
      this.page.element.append(this.openFence.block.element);
    }
    this.openFence.show(source);
  }

  private drawOpenText(open: Block): void {
    // A line that looked like a fence can turn out to be text: ```a`b.
    this.removeOpenFence();
    if (open.source === this.shown && this.openBox) return;
    const box = this.openBox ?? this.newOpenBox();
    if (open.source.length > LONG_PARAGRAPH && this.shown !== '' && open.source.startsWith(this.shown)) {
      box.lastElementChild?.append(open.source.slice(this.shown.length));
    } else {
      // A copy, because an incomplete definition must not be remembered.
      box.replaceChildren(renderMarkdown(open.source, { ...this.links }));
    }
    this.shown = open.source;
  }

  private newOpenBox(): HTMLElement {
    const box = document.createElement('div');
    box.className = 'block open';
    box.dir = 'auto';
    this.page.element.append(box);
    this.openBox = box;
    return box;
  }

  private removeOpenBox(): void {
    this.openBox?.remove();
    this.openBox = undefined;
  }

  private removeOpenFence(): void {
    this.openFence?.block.element.remove();
    this.openFence?.dispose();
    this.openFence = undefined;
  }
}

/** A pause of this length in the stream is used for highlighting. */
const PAUSE_MS = 150;

/** Without pauses, short code is highlighted at this interval. */
const OFTEN_MS = 400;

const SHORT = 4_000;

/** A code block that is still being written. */
class OpenFence implements Disposable {
  readonly block: CodeBlock;
  private shown = 0;
  private pause: ReturnType<typeof setTimeout> | undefined;
  private colouredAt = performance.now();

  constructor(
    info: string,
    private readonly highlighter: Highlighter,
  ) {
    this.block = createCodeBlock(info);
  }

  /** Shows the source so far; only the new part is processed. */
  show(source: string): void {
    if (source.length <= this.shown) return;
    this.block.append(source.slice(this.shown));
    this.shown = source.length;
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.colour(), PAUSE_MS);
    if (source.length <= SHORT && performance.now() - this.colouredAt > OFTEN_MS) this.colour();
  }

  dispose(): void {
    clearTimeout(this.pause);
  }

  private colour(): void {
    this.colouredAt = performance.now();
    const selection = document.getSelection();
    // Highlighting creates new nodes, which would clear the user's selection.
    if (selection && !selection.isCollapsed && selection.containsNode(this.block.code, true)) return;
    this.highlighter.colour(this.block.code, this.block.language);
  }
}
