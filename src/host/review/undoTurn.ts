import * as vscode from 'vscode';
import { errorText } from '../../base/errorText';
import { EngineError } from '../../engine';
import { notify } from '../shown/notify';
import type { ReviewedFile } from './reviewedFile';
import type { ReviewLedger } from './reviewLedger';
import { showReview } from './showReview';

const SHOW = 'Show changes';

/** Undoes what a turn changed in files, and tells the person where some of it stays because it was changed again later. */
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
  const message = `Cairn left changes of this turn in ${names}, because the same lines were changed again later. Undo the later turn first, or undo them one by one in the file.`;
  void notify('warning', message, SHOW).then((choice) => choice && showReview(left));
}
