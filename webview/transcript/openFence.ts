import type { Disposable } from '../../src/base/disposable';
import { type CodeBlock, createCodeBlock } from '../markdown/codeBlock';
import type { Highlighter } from '../markdown/highlighter';

/** A pause this long in the stream is used to colour what is there. */
const PAUSE_MS = 150;
/** Without a pause short code is coloured this often. */
const OFTEN_MS = 400;
const SHORT = 4_000;

/** A block of code that is still being written. */
export class OpenFence implements Disposable {
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

  /** Shows the source so far, of which only the new part is looked at. */
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
    // Colouring makes new nodes, and would take the person's selection away.
    if (selection && !selection.isCollapsed && selection.containsNode(this.block.code, true)) return;
    this.highlighter.colour(this.block.code, this.block.language);
  }
}
