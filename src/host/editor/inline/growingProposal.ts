import type * as vscode from 'vscode';
import { mergeLines } from '../../../engine';
import { changeLines } from '../changeLines';
import { linesOf } from '../linesOf';
import type { EditedLines } from './editedLines';
import { withCode } from './editedText';

/** Between two states that are shown, and as many times as long as showing the last one took. */
const REST_MS = 50;
const REST_FACTOR = 3;

/** The right side of a diff, to which a model's answer is written as it comes. What the person types there stays. */
export class GrowingProposal {
  private latest: (() => string[]) | undefined;
  private showing: Promise<void> | undefined;
  private shown: readonly string[];

  constructor(
    private readonly right: vscode.Uri,
    private readonly before: readonly string[],
    private readonly place: EditedLines,
    private readonly signal: AbortSignal,
  ) {
    this.shown = before;
  }

  /** Takes note of what has come; it is shown soon. */
  follow(linesSoFar: () => string[]): void {
    this.latest = linesSoFar;
    this.showing ??= this.showLatest();
    // Told by `ended`.
    this.showing.catch(() => undefined);
  }

  /** Resolves when nothing is being written any more; rejects when something could not be. */
  async ended(): Promise<void> {
    this.latest = undefined;
    await this.showing;
  }

  /** Shows the whole of the answer. */
  async complete(code: readonly string[]): Promise<void> {
    await this.ended();
    await this.show(code, false);
  }

  private async showLatest(): Promise<void> {
    for (let next = this.latest; next && !this.signal.aborted; next = this.latest) {
      this.latest = undefined;
      const start = performance.now();
      await this.show(next(), true);
      const rest = Math.max(REST_MS, REST_FACTOR * (performance.now() - start));
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
    this.showing = undefined;
  }

  private async show(code: readonly string[], isOpen: boolean): Promise<void> {
    const next = withCode(this.before, this.place, code, isOpen);
    await changeLines(this.right, (document) => mergeLines(this.shown, linesOf(document.getText()), next).lines);
    this.shown = next;
  }
}
