import type { Disposable } from '../../src/base/disposable';
import { highlightLines } from './highlightLines';

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
      if (lines) code.replaceChildren(...lines.flatMap((line, at) => [...(at > 0 ? ['\n'] : []), ...line.map(span)]));
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

function span({ text, scope }: { text: string; scope: string }): Node {
  if (scope === '') return new Text(text);
  const element = document.createElement('span');
  element.className = scope;
  element.textContent = text;
  return element;
}
