import * as vscode from 'vscode';

/** Undefined when the person thought better of it. */
export function askSessionTitle(title: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: 'Rename session',
    value: title,
    validateInput: (text) => (text.trim() === '' ? 'A session needs a name.' : undefined),
  });
}
