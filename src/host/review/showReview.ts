import * as vscode from 'vscode';
import { baselineUri } from './baselineUri';
import type { ReviewedFile } from './reviewedFile';

/** Opens changed files in one tab, beside what they were or, for one turn, beside what they would be without it. */
export async function showReview(files: readonly ReviewedFile[], runId?: string): Promise<void> {
  const title = files.length === 1 ? '1 file to review' : `${files.length} files to review`;
  const rows = files.map((file) => {
    const { path } = file;
    const kind = file.parts.find(({ turn }) => turn.runId === runId)?.kind ?? file.kind;
    const uri = vscode.Uri.file(path);
    const left = kind === 'created' ? undefined : baselineUri(path, runId);
    return [uri, left, kind === 'removed' ? undefined : uri];
  });
  await vscode.commands.executeCommand('vscode.changes', title, rows);
}
