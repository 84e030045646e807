import * as vscode from 'vscode';
import { EXTENSION_ID } from '../contributionPoints';
import type { Command, Host } from '../host';

const OWN_SETTINGS = `@ext:${EXTENSION_ID}`;
/** What the addresses of all providers have in their names. */
const BASE_URLS = 'baseUrl';

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
  return editorCommand('workbench.action.openSettings', OWN_SETTINGS);
}

/** Opens the editor's settings for the addresses of providers: those of the other machine in a remote window, where they apply. */
export function openBaseUrls(): Command {
  const target = vscode.env.remoteName === undefined ? 'openSettings' : 'openRemoteSettings';
  return editorCommand(`workbench.action.${target}`, { query: [OWN_SETTINGS, BASE_URLS].join(' ') });
}

/** Lets the user choose the folder to open in this window. */
export function openFolder(): Command {
  return editorCommand('vscode.openFolder');
}

/** Opens the editor's page that shows and changes whether the folder is trusted. */
export function manageTrust(): Command {
  return editorCommand('workbench.trust.manage');
}

function editorCommand(id: string, ...args: readonly unknown[]): Command {
  return {
    async run() {
      await vscode.commands.executeCommand(id, ...args);
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
