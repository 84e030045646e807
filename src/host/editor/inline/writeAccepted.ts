import * as vscode from 'vscode';
import { t } from '../../../base/l10n';
import { type EditedProposal, EngineError, type FileChange, mergeLines } from '../../../engine';
import type { ReviewLedger } from '../../review/reviewLedger';
import { changeLines } from '../changeLines';
import { linesOf } from '../linesOf';

/**
 * Brings a file to what a person made of a proposal, in one step that the editor's undo takes back. It is saved unless something in it
 * was unsaved before. Rejects with EngineError `io` when the same lines changed meanwhile; then nothing is changed.
 */
export async function writeAccepted(
  ledger: ReviewLedger,
  sessionId: string,
  runId: string,
  { path, before }: FileChange,
  { contents, basedOn }: EditedProposal,
): Promise<void> {
  if (contents === undefined) return;
  const uri = vscode.Uri.file(path);
  const from = linesOf(basedOn ?? before ?? '');
  const wanted = linesOf(contents);
  const { signal } = new AbortController();
  await ledger.around({ sessionId, runId, paths: [path], reviewAfter: false, signal }, async () => {
    const wasDirty = (await vscode.workspace.openTextDocument(uri)).isDirty;
    await changeLines(uri, (document) => {
      const { lines, overlaps } = mergeLines(from, wanted, linesOf(document.getText()));
      if (overlaps.length === 0) return lines;
      throw new EngineError(
        'io',
        t('{0} was changed while the edit was written into it. Nothing of the edit was.', path),
      );
    });
    if (wasDirty || (await (await vscode.workspace.openTextDocument(uri)).save())) return;
    throw new EngineError('io', t('The editor could not save {0}. The change is in the editor, unsaved.', path));
  });
}
