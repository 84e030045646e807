import * as vscode from 'vscode';
import { BASELINE_SCHEME } from '../contributionPoints';

/** The address of a file as it was; keeps its name at the end, so that the editor knows its language. */
export function baselineUri(path: string): vscode.Uri {
  return vscode.Uri.file(path).with({ scheme: BASELINE_SCHEME });
}
