import type * as vscode from 'vscode';
import { mergeLines } from '../../../engine';
import { changeLines } from '../changeLines';
import { linesOf } from '../linesOf';
import type { EditedLines } from './editedLines';
import { withCode } from './editedText';

/** The pause between two updates: at least `REST_MS`, and `REST_FACTOR` times as long as the last update took. */
const REST_MS = 50;
const REST_FACTOR = 3;

/** The right side of a diff, into which a model's answer is streamed. What the user types there is preserved. */
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

  /** Records the latest lines, which are shown soon. */
  follow(linesSoFar: () => string[]): void {
    this.latest = linesSoFar;
    this.showing ??= this.showLatest();
    // `ended` reports the error.
    this.showing.catch(() => undefined);
  }

  /** Resolves once nothing is being written any more. Rejects if a write failed. */
  async ended(): Promise<void> {
    this.latest = undefined;
    await this.showing;
  }

  /** Shows the complete answer. */
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
