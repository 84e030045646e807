import type { Links } from 'marked';
import type { Disposable } from '../../src/base/disposable';
import { type Block, BlockSplitter } from '../markdown/blockSplitter';
import { type CodeBlock, createCodeBlock } from '../markdown/codeBlock';
import type { Highlighter } from '../markdown/highlighter';
import { newLinks, renderMarkdown } from '../markdown/renderMarkdown';

/** Blocks that share a box of their own layout. */
const BLOCKS_PER_PAGE = 40;
/** A paragraph past this is not parsed again with each delta: what comes is added as plain text until it closes. */
const LONG_PARAGRAPH = 4_000;

interface ClosedBlock {
  source: string;
  box: HTMLElement;
}

/** Draws growing Markdown. A closed block is drawn once; only the open one changes, at most once a frame. */
export class StreamView implements Disposable {
  private readonly splitter = new BlockSplitter();
  private readonly links: Links = newLinks();
  /** Closed blocks with brackets, which a definition that comes later may turn into links. */
  private bracketed: ClosedBlock[] = [];
  private page: HTMLElement;
  private openBox: HTMLElement | undefined;
  private openFence: { block: CodeBlock; shown: number } | undefined;
  private shown = '';
  private frame: number | undefined;

  constructor(
    private readonly element: HTMLElement,
    private readonly highlighter: Highlighter,
  ) {
    this.page = this.newPage();
  }

  /** Adds text; it is drawn with the next frame. */
  feed(text: string): void {
    this.splitter.feed(text);
    this.frame ??= requestAnimationFrame(() => this.draw());
  }

  /** Draws everything now; no more text will come. */
  finish(): void {
    this.splitter.end();
    this.draw();
  }

  /** Draws what was fed, without waiting for the frame. */
  draw(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    for (const block of this.splitter.takeClosed()) this.addClosed(block);
    this.drawOpen();
  }

  dispose(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
  }

  private newPage(): HTMLElement {
    const page = document.createElement('div');
    page.className = 'stream-page';
    this.element.append(page);
    return page;
  }

  private addClosed(block: Block): void {
    if (block.kind === 'fence') this.closeFence(block);
    else this.closeText(block);
    this.shown = '';
    if (this.page.childElementCount >= BLOCKS_PER_PAGE) this.page = this.newPage();
  }

  private closeFence(block: Block): void {
    this.openBox?.remove();
    this.openBox = undefined;
    const open = this.openFence ?? this.startFence(block.info);
    open.block.append(block.source.slice(open.shown));
    this.openFence = undefined;
    this.highlighter.colour(open.block.code, open.block.language);
  }

  private startFence(info: string): { block: CodeBlock; shown: number } {
    const block = createCodeBlock(info);
    this.page.append(block.element);
    return { block, shown: 0 };
  }

  private closeText(block: Block): void {
    const known = Object.keys(this.links).length;
    const fragment = renderMarkdown(block.source, this.links);
    const rows = block.continues && block.kind === 'table' ? this.lastRows() : undefined;
    if (rows) {
      rows.append(...fragment.querySelectorAll('tbody > tr'));
      this.openBox?.remove();
      this.openBox = undefined;
    } else {
      this.placeText(block.source, fragment);
    }
    if (Object.keys(this.links).length > known) this.drawBracketedAgain();
  }

  private placeText(source: string, fragment: DocumentFragment): void {
    const box = document.createElement('div');
    box.className = 'block';
    box.append(fragment);
    if (this.openBox) this.openBox.replaceWith(box);
    else this.page.append(box);
    this.openBox = undefined;
    this.colour(box);
    if (source.includes('[')) this.bracketed.push({ source, box });
  }

  private lastRows(): Element | null {
    const boxes = [...this.page.querySelectorAll(':scope > .block')].filter((box) => box !== this.openBox);
    return boxes.at(-1)?.querySelector('tbody') ?? null;
  }

  private drawBracketedAgain(): void {
    for (const { source, box } of this.bracketed) {
      if (!/\[[^\]]+\](?!\(|:)/.test(source)) continue;
      box.replaceChildren(renderMarkdown(source, this.links));
      this.colour(box);
    }
  }

  private colour(box: HTMLElement): void {
    for (const code of box.querySelectorAll<HTMLElement>('.code-block code')) {
      const language = code.closest('.code-block')?.querySelector('.code-language')?.textContent ?? '';
      this.highlighter.colour(code, language);
    }
  }

  private drawOpen(): void {
    const { open } = this.splitter;
    if (!open) {
      this.openBox?.remove();
      this.openBox = undefined;
      return;
    }
    if (open.kind === 'fence') return this.drawOpenFence(open);
    this.drawOpenText(open);
  }

  private drawOpenFence(open: Block): void {
    this.openBox?.remove();
    this.openBox = undefined;
    // The closing fence arrives character by character; it must not be seen as a line of code.
    const source = open.source.replace(/(?:^|\n) {0,3}(?:`+|~+)$/, '');
    // The info string may still be growing while its own line is unfinished.
    if (this.openFence && source === '' && this.openFence.block.language !== open.info) {
      this.openFence.block.element.remove();
      this.openFence = undefined;
    }
    this.openFence ??= this.startFence(open.info);
    this.openFence.block.append(source.slice(this.openFence.shown));
    this.openFence.shown = Math.max(this.openFence.shown, source.length);
  }

  private drawOpenText(open: Block): void {
    // A line that looked like a fence can turn out to be text: ```a`b.
    this.openFence?.block.element.remove();
    this.openFence = undefined;
    if (open.source === this.shown && this.openBox) return;
    const box = this.openBox ?? this.newOpenBox();
    if (open.source.length > LONG_PARAGRAPH && this.shown !== '' && open.source.startsWith(this.shown)) {
      box.lastElementChild?.append(open.source.slice(this.shown.length));
    } else {
      // A copy, because a half-written definition must not be remembered.
      box.replaceChildren(renderMarkdown(open.source, { ...this.links }));
    }
    this.shown = open.source;
  }

  private newOpenBox(): HTMLElement {
    const box = document.createElement('div');
    box.className = 'block open';
    this.page.append(box);
    this.openBox = box;
    return box;
  }
}
