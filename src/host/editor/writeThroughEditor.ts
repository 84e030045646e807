import type * as vscode from 'vscode';
import { EngineError, type FileSystem, mergeLines } from '../../engine';
import { leadsElsewhere } from '../../node/judgedPlace';
import { changeLines } from './changeLines';
import { linesOf } from './linesOf';
import { saveChanged } from './saveChanged';

interface Judged {
  /** The real path that the document had when the change was judged. */
  real: string | undefined;
  below: FileSystem;
}

/**
 * Writes the text in one undo step and saves the document. Rejects with EngineError `io` if its path no longer leads to `real`.
 */
export async function writeThroughEditor(uri: vscode.Uri, text: string, { real, below }: Judged): Promise<void> {
  const place = real === undefined ? undefined : await below.realPath(uri.fsPath);
  if (place !== undefined && real !== undefined && place !== real) throw leadsElsewhere(uri.fsPath, place, real);
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
  const end = await saveChanged(uri, from ?? lines);
  if (end === 'unsaved')
    throw new EngineError('io', `The editor could not save ${uri.fsPath}. The change is in the editor, unsaved.`);
  if (end === 'read-only')
    throw new EngineError('io', `${uri.fsPath} is read-only in the editor, so nothing was written.`);
}
