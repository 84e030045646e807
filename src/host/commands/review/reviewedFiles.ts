import * as vscode from 'vscode';
import type { ReviewedFile } from '../../review/reviewedFile';
import type { ReviewLedger } from '../../review/reviewLedger';

/** The file that a title button, a row of the source control view or the active editor stands for. */
export function reviewedFile(ledger: ReviewLedger, argument: unknown): ReviewedFile {
  const uri = uriOf(argument) ?? vscode.window.activeTextEditor?.document.uri;
  const file = uri && ledger.get(uri.with({ scheme: 'file' }).fsPath);
  if (!file || file.settled) throw new Error('No change of this file is left to review.');
  return file;
}

/** Files with changes to review; `runId` when only those of one turn are meant. */
export interface FilesToReview {
  files: readonly ReviewedFile[];
  runId: string | undefined;
}

/** The files of the turn that a group of the source control view stands for; without a group all there are. */
export function reviewedFiles(ledger: ReviewLedger, argument: unknown): FilesToReview {
  const runId = typeof argument === 'string' ? argument : hasId(argument) ? argument.id : undefined;
  const files = runId === undefined ? ledger.files : ledger.ofTurn(runId);
  if (files.length === 0) throw new Error('No change is left to review.');
  return { files, runId };
}

function uriOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  const isRow = typeof argument === 'object' && argument !== null && 'resourceUri' in argument;
  return isRow && argument.resourceUri instanceof vscode.Uri ? argument.resourceUri : undefined;
}

/** A whole source control has an id too, and stands for all of its groups. */
function hasId(argument: unknown): argument is { id: string } {
  return (
    typeof argument === 'object' &&
    argument !== null &&
    'resourceStates' in argument &&
    'id' in argument &&
    typeof argument.id === 'string'
  );
}
