import * as vscode from 'vscode';
import { changeLines } from './changeLines';

/**
 * Saves a document that was changed. If it is read-only in the editor, which still changes it but never counts it as unsaved, its
 * lines are put back: nobody could save them there.
 */
export async function saveChanged(
  uri: vscode.Uri,
  before: readonly string[],
): Promise<'saved' | 'unsaved' | 'read-only'> {
  const document = await vscode.workspace.openTextDocument(uri);
  const { isDirty } = document;
  if (await document.save()) return 'saved';
  if (isDirty) return 'unsaved';
  await changeLines(uri, () => before);
  return 'read-only';
}
