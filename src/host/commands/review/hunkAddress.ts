import * as vscode from 'vscode';

/** One change of a proposal, as a lens hands it to its command. */
export interface HunkAddress {
  right: vscode.Uri;
  key: string;
}

export function isHunkAddress(value: unknown): value is HunkAddress {
  return (
    typeof value === 'object' &&
    value !== null &&
    'right' in value &&
    value.right instanceof vscode.Uri &&
    'key' in value &&
    typeof value.key === 'string'
  );
}
