import * as vscode from 'vscode';
import { BASELINE_SCHEME } from '../contributionPoints';

/**
 * The address of a file as it was before all that is to be reviewed, or as it would be without what one turn changed. Keeps its
 * name at the end, so that the editor knows its language.
 */
export function baselineUri(path: string, runId = ''): vscode.Uri {
  return vscode.Uri.file(path).with({ scheme: BASELINE_SCHEME, query: runId });
}
