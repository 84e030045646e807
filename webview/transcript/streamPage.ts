import type { Links } from 'marked';
import type { Block } from '../markdown/blockSplitter';
import { type CodeBlock, createCodeBlock } from '../markdown/codeBlock';
import type { Highlighter } from '../markdown/highlighter';
import { renderMarkdown } from '../markdown/renderMarkdown';

interface DrawnBlock {
  block: Block;
  /** Undefined for rows that were added to the table above. */
  node: HTMLElement | undefined;
}

/** Maximum size of a page: in blocks and in characters of source, which approximate the number of nodes. */
export interface PageLimits {
  blocks: number;
  size: number;
}

/** Closed blocks of an answer in a box with its own layout, which can be emptied and filled again. */
export class StreamPage {
  readonly element = document.createElement('div');
  private readonly drawn: DrawnBlock[] = [];
  private isEmpty = false;
  private size = 0;

  constructor(
    private readonly links: Links,
    private readonly highlighter: Highlighter,
  ) {
    this.element.className = 'stream-page';
  }

  isFull({ blocks, size }: PageLimits): boolean {
    return this.drawn.length >= blocks || this.size >= size;
  }

  /** Renders a closed block; a fence may already have been rendered while open. */
  add(block: Block, fence?: CodeBlock): void {
    if (fence) this.highlighter.colour(fence.code, fence.language);
    this.size += block.source.length;
    this.drawn.push({ block, node: fence?.element ?? this.draw(block) });
  }

  /** Renders blocks again in which a link definition received later may create links. */
  drawBracketedAgain(): void {
    for (const { block, node } of this.drawn) {
      if (!node || block.kind === 'fence' || !/\[[^[\]]+\](?!\(|:)/.test(block.source)) continue;
      node.replaceChildren(renderMarkdown(block.source, this.links));
      this.colour(node);
    }
  }

  /** Keeps the height and the sources and drops the nodes. Returns false if it stays because the user has focus or a selection in it. */
  empty(): boolean {
    if (this.isEmpty) return true;
    const { height } = this.element.getBoundingClientRect();
    if (height === 0 || holdsAttention(this.element)) return false;
    this.isEmpty = true;
    this.element.style.height = `${height}px`;
    this.element.replaceChildren();
    return true;
  }

  /** Whether its sources contain the pattern, rendered or not. */
  has(pattern: RegExp): boolean {
    pattern.lastIndex = 0;
    return pattern.test(this.drawn.map(({ block }) => block.source).join('\n'));
  }

  /** Renders what was dropped. */
  fill(): void {
    if (!this.isEmpty) return;
    this.isEmpty = false;
    for (const one of this.drawn) one.node = this.draw(one.block);
    this.element.style.height = '';
  }

  private draw(block: Block): HTMLElement | undefined {
    if (block.kind === 'fence') {
      const fence = createCodeBlock(block.info);
      fence.append(block.source);
      this.element.append(fence.element);
      this.highlighter.colour(fence.code, fence.language);
      return fence.element;
    }
    const fragment = renderMarkdown(block.source, this.links);
    const rows = block.continues && block.kind === 'table' ? this.lastRows() : null;
    if (rows) {
      rows.append(...fragment.querySelectorAll('tbody > tr'));
      return undefined;
    }
    const node = document.createElement('div');
    node.className = 'block';
    // Each block for itself: an answer may mix directions.
    node.dir = 'auto';
    node.append(fragment);
    this.element.append(node);
    this.colour(node);
    return node;
  }

  private lastRows(): Element | null {
    return [...this.element.querySelectorAll(':scope > .block')].at(-1)?.querySelector('tbody') ?? null;
  }

  private colour(node: HTMLElement): void {
    for (const code of node.querySelectorAll<HTMLElement>('.code-block code')) {
      const language = code.closest('.code-block')?.querySelector('.code-language')?.textContent ?? '';
      this.highlighter.colour(code, language);
    }
  }
}

function holdsAttention(element: HTMLElement): boolean {
  const selection = document.getSelection();
  if (element.contains(document.activeElement)) return true;
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}
