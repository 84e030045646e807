import * as vscode from 'vscode';
import { EngineError, type FileSystem } from '../../engine';

const APPLY_TRIES = 20;

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
    appendFile: (path, text) => below.appendFile(path, text),
    async readFile(path) {
      const document = openDocument(path);
      return document?.isDirty ? new TextEncoder().encode(document.getText()) : below.readFile(path);
    },
    async writeFile(path, bytes) {
      const document = openDocument(path);
      if (!document) return below.writeFile(path, bytes);
      await replaceText(document, new TextDecoder().decode(bytes));
      if (!(await document.save())) {
        throw new EngineError('io', `The editor could not save ${path}. The change is in the editor, unsaved.`);
      }
    },
  };
}

function openDocument(path: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) => uri.scheme === 'file' && uri.fsPath === path && !isClosed,
  );
}

/** One undo step. The editor refuses an edit while the person types in the same file, so it is tried again. */
async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    if (document.getText() === text) return;
    const edit = new vscode.WorkspaceEdit();
    const all = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
    edit.replace(document.uri, all, text);
    if (await vscode.workspace.applyEdit(edit)) return;
    if (tries >= APPLY_TRIES) {
      throw new EngineError('io', `The editor refused the change to ${document.uri.fsPath}. Try again.`);
    }
    await new Promise((resolve) => setTimeout(resolve, tries * 10));
  }
}
