import * as vscode from 'vscode';

/** Where the quick fix was asked for. */
export interface FixTarget {
  uri: vscode.Uri;
  range: vscode.Range;
}

export function isFixTarget(value: unknown): value is FixTarget {
  return (
    typeof value === 'object' &&
    value !== null &&
    'uri' in value &&
    value.uri instanceof vscode.Uri &&
    'range' in value &&
    value.range instanceof vscode.Range
  );
}
