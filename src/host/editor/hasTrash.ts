import * as vscode from 'vscode';

/** The trash of this machine is out of reach where the editor's window is on another one, or in a browser. */
export function hasTrash(): boolean {
  return vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
}
