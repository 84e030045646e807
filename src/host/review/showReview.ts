import * as vscode from 'vscode';
import { errorText } from '../../base/errors';
import { t } from '../../base/l10n';
import { EngineError } from '../../engine';
import { BASELINE_SCHEME } from '../contributionPoints';
import { notify } from '../shown/notify';
import type { ReviewedFile } from './reviewedFile';
import type { ReviewLedger } from './reviewLedger';

/** Opens the changed files in one tab, compared with their original state or, for a turn, with their state without it. */
export async function showReview(files: readonly ReviewedFile[], runId?: string): Promise<void> {
  const title = files.length === 1 ? t('1 file to review') : t('{0} files to review', files.length);
  const rows = files.map((file) => {
    const { path } = file;
    const kind = file.parts.find(({ turn }) => turn.runId === runId)?.kind ?? file.kind;
    const uri = vscode.Uri.file(path);
    const left = kind === 'created' ? undefined : baselineUri(path, runId);
    return [uri, left, kind === 'removed' ? undefined : uri];
  });
  await vscode.commands.executeCommand('vscode.changes', title, rows);
}

/**
 * The URI of a file's state before all changes to review, or without one turn's changes. Ends with the file's name, so that the
 * editor detects its language.
 */
export function baselineUri(path: string, runId = ''): vscode.Uri {
  return vscode.Uri.file(path).with({ scheme: BASELINE_SCHEME, query: runId });
}

/** Undoes a turn's changes in files, and notifies the user if some of them remain because they were changed again later. */
export async function undoTurn(ledger: ReviewLedger, files: readonly ReviewedFile[], runId: string): Promise<void> {
  const left: ReviewedFile[] = [];
  const problems: unknown[] = [];
  for (const file of files) {
    const isLeft = ledger.undoTurn(file.path, runId).catch((error: unknown) => void problems.push(error));
    if (await isLeft) left.push(file);
  }
  if (left.length > 0) tellLeft(left);
  if (problems.length > 0) throw new EngineError('io', problems.map(errorText).join('\n'), { cause: problems[0] });
}

function tellLeft(left: readonly ReviewedFile[]): void {
  const names = left.map(({ path }) => vscode.workspace.asRelativePath(path)).join(', ');
  const message = t(
    'Cairn left changes of this turn in {0}, because the same lines were changed again later. Undo the later turn first, or undo them one by one in the file.',
    names,
  );
  void notify('warning', message, { title: t('Show Changes'), means: 'show' }).then((choice) =>
    choice === undefined ? undefined : showReview(left),
  );
}
