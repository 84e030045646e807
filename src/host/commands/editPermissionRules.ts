import * as vscode from 'vscode';
import type { Host } from '../host';
import type { Command } from './command';

/** Opens the person's own permission rules, making the file when there is none. */
export function editPermissionRules({ engine }: Host): Command {
  return {
    async run() {
      const path = await engine.permissions.ensureFile();
      await vscode.window.showTextDocument(vscode.Uri.file(path));
    },
  };
}
