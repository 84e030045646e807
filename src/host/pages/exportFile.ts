import { join } from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { notify } from '../shown/notify';

export interface ExportedFile {
  /** What it is, as the notice begins. */
  readonly what: string;
  /** The name that is offered, in the folder of the workspace or else in `folder`. */
  readonly name: string;
  readonly folder: string;
  /** The kinds of files that are offered, with their endings. */
  readonly filters: Readonly<Record<string, string[]>>;
  readonly bytes: Uint8Array;
}

/** Asks the person for a place, writes the file there, and says so. */
export async function exportFile({ what, name, folder, filters, bytes }: ExportedFile): Promise<void> {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const defaultUri = vscode.Uri.file(join(workspace ?? folder, name));
  const target = await vscode.window.showSaveDialog({ defaultUri, filters });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, bytes);
  void notify('info', t('{0} exported to {1}.', what, target.fsPath));
}
