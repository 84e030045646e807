import * as vscode from 'vscode';
import { EXTENSION_ID } from '../contributionPoints';
import type { Command, Host } from '../host';

export function showLog({ log }: Host): Command {
  return {
    run() {
      log.show();
      return Promise.resolve();
    },
  };
}

/** Opens the editor's settings, filtered to Cairn's. */
export function openSettings(): Command {
  return {
    async run() {
      await vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${EXTENSION_ID}`);
    },
  };
}

/** Opens the audit log, which has one decision per line, at its end. */
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

/** Opens the user's permission rules, creating the file if necessary. */
export function editPermissionRules({ engine }: Host): Command {
  return {
    async run() {
      const path = await engine.permissions.ensureFile();
      await vscode.window.showTextDocument(vscode.Uri.file(path));
    },
  };
}
