import * as vscode from 'vscode';
import type { FileToReview } from '../../protocol/chatState';
import type { ReviewLedger } from './reviewLedger';

/** What is left to review of one session, for its panels: each file once for each turn that changed it. */
export function filesToReview(ledger: ReviewLedger, sessionId: string): FileToReview[] {
  return ledger.files.flatMap(({ path, parts }) =>
    parts
      .filter(({ turn }) => turn.sessionId === sessionId)
      .map(({ turn: { runId }, added, removed }) => ({
        runId,
        path: vscode.workspace.asRelativePath(vscode.Uri.file(path)),
        added,
        removed,
      })),
  );
}
