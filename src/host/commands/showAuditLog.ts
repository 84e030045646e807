import * as vscode from 'vscode';
import type { Host } from '../host';
import type { Command } from './command';

/** Opens the list of what was allowed and refused, one decision a line, at its end. */
export function showAuditLog({ engine }: Host): Command {
  return {
    async run() {
      const path = await engine.audit.ensureFile();
      const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
      const end = new vscode.Position(document.lineCount, 0);
      await vscode.window.showTextDocument(document, { selection: new vscode.Range(end, end) });
    },
  };
}
