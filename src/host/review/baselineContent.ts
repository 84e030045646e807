import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { baselineUri } from './baselineUri';
import type { ReviewLedger } from './reviewLedger';

/** Files as they were before the changes that are to be reviewed, as documents to compare with. */
export class BaselineContent implements vscode.TextDocumentContentProvider, Disposable {
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly listening: Disposable;
  private readonly told = new Map<string, string>();
  readonly onDidChange = this.changes.event;

  constructor(private readonly ledger: ReviewLedger) {
    this.listening = ledger.onChange(() => this.tell());
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const { fsPath } = uri.with({ scheme: 'file' });
    const text = this.ledger.get(fsPath)?.baselineText;
    this.told.set(fsPath, text ?? '');
    return text ?? '';
  }

  dispose(): void {
    this.listening.dispose();
    this.changes.dispose();
  }

  private tell(): void {
    for (const [path, text] of this.told) {
      if (text !== (this.ledger.get(path)?.baselineText ?? '')) this.changes.fire(baselineUri(path));
    }
  }
}
