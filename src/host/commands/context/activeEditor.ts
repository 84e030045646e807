import * as vscode from 'vscode';

/** Throws a sentence for the person when no text editor is open. */
export function activeEditor(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw new Error('No text editor is active. Open a file first.');
  return editor;
}
