import type { Disposable } from '../../src/base/disposable';
import { LINES_PER_BOX } from './codeBlock';
import type { CodeToken, highlightLines } from './highlightLines';

/** Maximum duration of one slice of highlighting, so that frames are not delayed. */
const SLICE_MS = 6;

/** Returns the tokens of each line of code. */
export type HighlightLines = typeof highlightLines;

/** Highlights finished code when idle. The highlighting code is loaded with the first code block. */
export class Highlighter implements Disposable {
  private readonly jobs: ((highlight: HighlightLines) => void)[] = [];
  private scheduled: number | undefined;
  private loading: Promise<void> | undefined;
  private highlight: HighlightLines | undefined;
  private isDisposed = false;

  /** Highlights the text of `code`, unless it has been removed by then. */
  colour(code: HTMLElement, language: string): void {
    if (language === '') return;
    this.whenIdle((highlight) => {
      if (!code.isConnected) return;
      const lines = highlight(code.textContent, language);
      if (lines) code.replaceChildren(...lineBoxes(lines));
    });
  }

  whenIdle(job: (highlight: HighlightLines) => void): void {
    this.jobs.push(job);
    this.loading ??= this.load();
    if (this.highlight) this.schedule();
  }

  dispose(): void {
    this.isDisposed = true;
    this.jobs.length = 0;
    if (this.scheduled !== undefined) cancelIdleCallback(this.scheduled);
  }

  private async load(): Promise<void> {
    try {
      this.highlight = (await import('./highlightLines')).highlightLines;
      if (!this.isDisposed && this.jobs.length > 0) this.schedule();
    } catch (error) {
      // Code is readable without colors. The next block tries again.
      reportError(error);
      this.jobs.length = 0;
      this.loading = undefined;
    }
  }

  private schedule(): void {
    this.scheduled ??= requestIdleCallback(() => this.run());
  }

  private run(): void {
    this.scheduled = undefined;
    const { highlight } = this;
    if (!highlight) return;
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end) {
      const job = this.jobs.shift();
      if (!job) return;
      job(highlight);
    }
    if (this.jobs.length > 0) this.schedule();
  }
}

/** Builds the same boxes that a growing block puts its lines into, so that it can keep growing. */
function lineBoxes(lines: readonly CodeToken[][]): HTMLElement[] {
  const boxes: HTMLElement[] = [];
  for (let first = 0; first < lines.length; first += LINES_PER_BOX) {
    const box = document.createElement('span');
    box.className = 'lines';
    const part = lines.slice(first, first + LINES_PER_BOX);
    const isLast = first + LINES_PER_BOX >= lines.length;
    part.forEach((line, at) => box.append(...line.map(span), ...(isLast && at === part.length - 1 ? [] : ['\n'])));
    box.dataset['lines'] = String(isLast ? part.length - 1 : part.length);
    boxes.push(box);
  }
  return boxes;
}

function span({ text, scope }: CodeToken): Node {
  if (scope === '') return new Text(text);
  const element = document.createElement('span');
  element.className = scope;
  element.textContent = text;
  return element;
}
