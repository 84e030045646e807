import * as vscode from 'vscode';
import { decodeText, EngineError, type FileSystem } from '../../engine';
import { changeLines, linesOf } from './changeLines';

/**
 * Files as the person sees them: the text of an open editor, saved or not, is the truth, and a change to an open file
 * goes through the editor, so that undo works. All else is done by the file system below.
 */
export function workspaceFiles(below: FileSystem): FileSystem {
  return {
    stat: (path) => below.stat(path),
    readDirectory: (path) => below.readDirectory(path),
    makeDirectory: (path) => below.makeDirectory(path),
    realPath: (path) => below.realPath(path),
    remove: (path) => below.remove(path),
    ...(hasTrash() && { trash: moveToTrash }),
    appendFile: (path, text) => below.appendFile(path, text),
    async readFile(path) {
      const document = openDocument(path);
      return document?.isDirty ? new TextEncoder().encode(document.getText()) : below.readFile(path);
    },
    async writeFile(path, bytes) {
      const document = openDocument(path);
      // The editor keeps the encoding that the file has, whatever these bytes are in.
      const text = document && decodeText(bytes)?.text;
      if (document && text !== undefined) await writeThroughEditor(document.uri, text);
      else await below.writeFile(path, bytes);
    },
  };
}

/** A server that somebody's editor is connected to has none. */
function hasTrash(): boolean {
  return vscode.env.remoteName === undefined;
}

async function moveToTrash(path: string): Promise<void> {
  await vscode.workspace.fs.delete(vscode.Uri.file(path), { recursive: true, useTrash: true });
}

function openDocument(path: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) => uri.scheme === 'file' && uri.fsPath === path && !isClosed,
  );
}

/** One undo step, saved. */
async function writeThroughEditor(uri: vscode.Uri, text: string): Promise<void> {
  const lines = linesOf(text);
  await changeLines(uri, () => lines);
  if (!(await (await vscode.workspace.openTextDocument(uri)).save())) {
    throw new EngineError('io', `The editor could not save ${uri.fsPath}. The change is in the editor, unsaved.`);
  }
}
