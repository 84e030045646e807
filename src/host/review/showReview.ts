import * as vscode from 'vscode';
import { baselineUri } from './baselineUri';
import type { ReviewedFile } from './reviewedFile';

/** Opens changed files beside what they were, in one tab. */
export async function showReview(files: readonly ReviewedFile[]): Promise<void> {
  const title = files.length === 1 ? '1 file to review' : `${files.length} files to review`;
  const rows = files.map(({ path, kind }) => {
    const uri = vscode.Uri.file(path);
    const left = kind === 'created' ? undefined : baselineUri(path);
    return [uri, left, kind === 'removed' ? undefined : uri];
  });
  await vscode.commands.executeCommand('vscode.changes', title, rows);
}
