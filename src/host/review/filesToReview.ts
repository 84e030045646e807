import * as vscode from 'vscode';
import type { FileToReview } from '../../protocol/chatState';
import type { ReviewLedger } from './reviewLedger';

/** What is left to review of one session, for its panels. */
export function filesToReview(ledger: ReviewLedger, sessionId: string): FileToReview[] {
  return ledger.files
    .filter(({ turn }) => turn.sessionId === sessionId)
    .map(({ path, turn, counts }) => ({
      runId: turn.runId,
      path: vscode.workspace.asRelativePath(vscode.Uri.file(path), false),
      ...counts,
    }));
}
