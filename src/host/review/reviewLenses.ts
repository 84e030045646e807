import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { t } from '../../base/l10n';
import { commandId } from '../contributionPoints';
import type { ReviewLedger } from './reviewLedger';

/** A change that was made without asking, as passed by a lens to its command. */
export interface ReviewedHunk {
  path: string;
  key: string;
}

/** Keep and Undo lenses above each change that was made without asking. Registered only while there are such changes. */
export class ReviewLenses implements vscode.CodeLensProvider, Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly listening: Disposable;
  private registered: vscode.Disposable | undefined;
  readonly onDidChangeCodeLenses = this.changes.event;

  constructor(private readonly ledger: ReviewLedger) {
    this.listening = ledger.onChange(() => this.update());
    this.update();
  }

  provideCodeLenses({ uri, lineCount }: vscode.TextDocument): vscode.CodeLens[] {
    const file = this.ledger.get(uri.fsPath);
    if (!file || file.settled) return [];
    if (file.kind === 'created')
      return lensesAt(0, [commandId('keepFile'), commandId('undoFile')], uri, t('Keep this new file'));
    return file.hunks.flatMap(({ key, newStart }) => {
      const hunk: ReviewedHunk = { path: file.path, key };
      return lensesAt(
        Math.min(newStart, lineCount - 1),
        [commandId('keepHunk'), commandId('undoHunk')],
        hunk,
        t('Keep'),
      );
    });
  }

  dispose(): void {
    this.listening.dispose();
    this.registered?.dispose();
    this.changes.dispose();
  }

  private update(): void {
    const wanted = this.ledger.files.length > 0;
    if (wanted) this.registered ??= vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this);
    this.changes.fire();
    if (wanted) return;
    this.registered?.dispose();
    this.registered = undefined;
  }
}

function lensesAt(
  line: number,
  [keep, undo]: readonly [string, string],
  argument: unknown,
  keepWords: string,
): vscode.CodeLens[] {
  const range = new vscode.Range(line, 0, line, 0);
  return [
    { title: `$(check) ${keepWords}`, command: keep, arguments: [argument] },
    { title: `$(discard) ${t('Undo')}`, command: undo, arguments: [argument] },
  ].map((command) => new vscode.CodeLens(range, command));
}
