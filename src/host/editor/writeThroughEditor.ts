import * as vscode from 'vscode';
import { EngineError, mergeLines } from '../../engine';
import { changeLines } from './changeLines';
import { linesOf } from './linesOf';

/** Writes the text in one undo step and saves the document. */
export async function writeThroughEditor(uri: vscode.Uri, text: string): Promise<void> {
  const lines = linesOf(text);
  let from: string[] | undefined;
  await changeLines(uri, (document) => {
    const now = linesOf(document.getText());
    from ??= now;
    // What the user types between two tries is preserved.
    const { lines: merged, overlaps } = mergeLines(from, lines, now);
    if (overlaps.length > 0)
      throw new EngineError('io', `${uri.fsPath} was changed while it was being written. Read it again.`);
    return merged;
  });
  if (!(await (await vscode.workspace.openTextDocument(uri)).save())) {
    throw new EngineError('io', `The editor could not save ${uri.fsPath}. The change is in the editor, unsaved.`);
  }
}
