import { resolve } from 'node:path';
import * as vscode from 'vscode';
import { usedEditor } from './insertCode';
import { placeCode } from './placeCode';

const METADATA = { needsConfirmation: true, label: 'Code from the chat' };

/**
 * Changes a file as a block of code of the chat says: the one of that path, else the one in the active editor. The editor shows
 * the change first; nothing is written before the person takes it. Throws when there is no such file to change.
 */
export async function applyCode(code: string, path: string | undefined, folder: string): Promise<void> {
  const uri = path === undefined ? usedEditor()?.document.uri : vscode.Uri.file(resolve(folder, path));
  if (!uri) throw new Error('No file is open to apply this to. Open the file that is meant and try again.');
  const edit = new vscode.WorkspaceEdit();
  const document = await openIfThere(uri);
  if (document) changeDocument(edit, document, code);
  else edit.createFile(uri, { contents: new TextEncoder().encode(withEnd(code)) }, METADATA);
  await vscode.workspace.applyEdit(edit, { isRefactoring: true });
  if (document) await vscode.window.showTextDocument(document, { preview: false });
}

async function openIfThere(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open) return open;
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  return isThere ? vscode.workspace.openTextDocument(uri) : undefined;
}

function changeDocument(edit: vscode.WorkspaceEdit, document: vscode.TextDocument, code: string): void {
  const { start, end } = placeCode(document.getText().replaceAll('\r\n', '\n'), code);
  const reachesEnd = end >= document.lineCount;
  const range = document.validateRange(new vscode.Range(start, 0, end, 0));
  edit.replace(
    document.uri,
    range,
    reachesEnd && !withEndOf(document) ? code.replace(/\n$/, '') : withEnd(code),
    METADATA,
  );
}

function withEndOf(document: vscode.TextDocument): boolean {
  return document.lineAt(document.lineCount - 1).text === '';
}

function withEnd(code: string): string {
  return code.endsWith('\n') ? code : `${code}\n`;
}
