import type { Disposable } from '../../src/base/disposable';
import { LINES_PER_BOX } from './codeBlock';
import { type CodeToken, highlightLines } from './highlightLines';

/** How long one slice of colouring may take; the next frame goes first. */
const SLICE_MS = 6;

/** Colours finished code when there is nothing else to do. */
export class Highlighter implements Disposable {
  private readonly jobs: (() => void)[] = [];
  private scheduled: number | undefined;

  /** Colours the text of `code`, unless it is gone by then. */
  colour(code: HTMLElement, language: string): void {
    if (language === '') return;
    this.whenIdle(() => {
      if (!code.isConnected) return;
      const lines = highlightLines(code.textContent, language);
      if (lines) code.replaceChildren(...lineBoxes(lines));
    });
  }

  whenIdle(job: () => void): void {
    this.jobs.push(job);
    this.scheduled ??= requestIdleCallback(() => this.run());
  }

  dispose(): void {
    this.jobs.length = 0;
    if (this.scheduled !== undefined) cancelIdleCallback(this.scheduled);
  }

  private run(): void {
    this.scheduled = undefined;
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end) {
      const job = this.jobs.shift();
      if (!job) return;
      job();
    }
    if (this.jobs.length > 0) this.scheduled = requestIdleCallback(() => this.run());
  }
}

/** The same boxes that a growing block puts its lines into, so that it can go on growing. */
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
