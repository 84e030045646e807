import * as vscode from 'vscode';

/** Puts the text where the cursor is, in place of what is selected there, and goes there. Throws without an editor. */
export async function insertCode(text: string): Promise<void> {
  const editor = usedEditor();
  if (!editor)
    throw new Error('No file is open to insert into. Open one, put the cursor where it belongs, and try again.');
  const done = await editor.edit((builder) => {
    for (const selection of editor.selections) builder.replace(selection, text.replace(/\n$/, ''));
  });
  if (!done)
    throw new Error(`${vscode.workspace.asRelativePath(editor.document.uri)} could not be changed. Is it read-only?`);
  await vscode.window.showTextDocument(editor.document, { viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active });
}

/** The editor used last. A chat in an editor tab hides it from `activeTextEditor`. */
export function usedEditor(): vscode.TextEditor | undefined {
  const isFile = ({ document }: vscode.TextEditor) => ['file', 'untitled'].includes(document.uri.scheme);
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  return activeTextEditor && isFile(activeTextEditor) ? activeTextEditor : visibleTextEditors.find(isFile);
}
