import * as vscode from 'vscode';
import { type Disposable, DisposableStore, onDispose } from '../../base/disposable';
import type { Log } from '../../engine';
import { BASELINE_SCHEME } from '../contributionPoints';
import type { ReviewLedger } from './reviewLedger';

/** Serves files as they were before the changes to review, for comparison. */
class BaselineContent implements vscode.TextDocumentContentProvider, Disposable {
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly listening: Disposable;
  private readonly told = new Map<string, { uri: vscode.Uri; text: string }>();
  readonly onDidChange = this.changes.event;

  constructor(private readonly ledger: ReviewLedger) {
    this.listening = ledger.onChange(() => this.tell());
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const text = this.textOf(uri);
    this.told.set(uri.toString(), { uri, text });
    return text;
  }

  dispose(): void {
    this.listening.dispose();
    this.changes.dispose();
  }

  private textOf(uri: vscode.Uri): string {
    const file = this.ledger.get(uri.with({ scheme: 'file', query: '' }).fsPath);
    const content = uri.query === '' ? file?.baseline : file?.withoutTurn(uri.query).content;
    return content?.text ?? '';
  }

  private tell(): void {
    for (const { uri, text } of this.told.values()) if (text !== this.textOf(uri)) this.changes.fire(uri);
  }
}

/** Registers everything with which the editor shows what is left to review. Most of it is loaded only once something is. */
export function reviewInEditor(ledger: ReviewLedger, log: Log): Disposable {
  const parts = new DisposableStore();
  let isOver = false;
  parts.add(onDispose(() => (isOver = true)));
  const content = parts.add(new BaselineContent(ledger));
  parts.add(vscode.workspace.registerTextDocumentContentProvider(BASELINE_SCHEME, content));
  const show = async () => {
    const { leftToReview } = await import('./leftToReview');
    if (!isOver) parts.add(leftToReview(ledger));
  };
  const first = parts.add(
    ledger.onChange(() => {
      first.dispose();
      show().catch((error: unknown) => log.error('Changes to review could not be shown', error));
    }),
  );
  return parts;
}
