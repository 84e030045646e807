import { join } from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { notify } from '../shown/notify';

export interface ExportedFile {
  /** What is exported, as the notification starts with it. */
  readonly what: string;
  /** The suggested name, in the workspace folder or else in `folder`. */
  readonly name: string;
  readonly folder: string;
  /** The offered file types with their extensions. */
  readonly filters: Readonly<Record<string, string[]>>;
  readonly bytes: Uint8Array;
}

/** Asks the user for a location, writes the file there, and confirms it. */
export async function exportFile({ what, name, folder, filters, bytes }: ExportedFile): Promise<void> {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const defaultUri = vscode.Uri.file(join(workspace ?? folder, name));
  const target = await vscode.window.showSaveDialog({ defaultUri, filters });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, bytes);
  void notify('info', t('{0} exported to {1}.', what, target.fsPath));
}
