import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { EngineError, lineHunks } from '../../engine';
import { linesOf } from './linesOf';

const APPLY_TRIES = 20;

/**
 * Changes a document's lines in one undo step that touches only what differs, so that carets and folds stay. The editor refuses
 * an edit while the user types in the same file, so the edit is retried against the latest text.
 */
export async function changeLines(
  uri: vscode.Uri,
  wanted: (document: vscode.TextDocument) => readonly string[],
): Promise<void> {
  for (let tries = 1; ; tries++) {
    // Opened again for each try, because its last tab may be closed in between.
    const document = await vscode.workspace.openTextDocument(uri);
    const edits = lineEdits(document, wanted(document));
    if (edits.length === 0) return;
    const edit = new vscode.WorkspaceEdit();
    edit.set(uri, edits);
    if (await vscode.workspace.applyEdit(edit)) return;
    if (tries >= APPLY_TRIES)
      throw new EngineError('io', t('The editor refused the change to {0}. Try again.', uri.fsPath));
    await new Promise((resolve) => setTimeout(resolve, tries * 10));
  }
}

function lineEdits(document: vscode.TextDocument, wanted: readonly string[]): vscode.TextEdit[] {
  return lineHunks(linesOf(document.getText()), wanted).map(({ oldStart, oldEnd, newStart, newEnd }) => {
    const lines = wanted.slice(newStart, newEnd);
    if (oldEnd < document.lineCount) {
      const text = lines.map((line) => `${line}\n`).join('');
      return vscode.TextEdit.replace(new vscode.Range(oldStart, 0, oldEnd, 0), text);
    }
    const end = document.lineAt(document.lineCount - 1).range.end;
    if (oldStart === 0)
      return vscode.TextEdit.replace(new vscode.Range(new vscode.Position(0, 0), end), lines.join('\n'));
    // The last line has no line ending, so the change is attached to the end of the line before it.
    const text = lines.map((line) => `\n${line}`).join('');
    return vscode.TextEdit.replace(new vscode.Range(document.lineAt(oldStart - 1).range.end, end), text);
  });
}
