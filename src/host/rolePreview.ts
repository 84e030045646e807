import * as vscode from 'vscode';
import { t } from '../base/l10n';
import { safeFileName, safeLine, safeText } from '../base/shown/safeText';
import type { Engine } from '../engine';
import { ROLE_SCHEME } from './contributionPoints';

/** Shows a role's prompt in a read-only document next to a list that stays open. */
export async function showRole(name: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(
    vscode.Uri.from({ scheme: ROLE_SCHEME, path: `/${safeFileName(name)}.md`, query: name }),
  );
  await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
}

/** The text of that document. The editor does not highlight invisible characters in Markdown. */
export async function roleText(engine: Pick<Engine, 'roles'>, name: string): Promise<string> {
  const role = await engine.roles.find(name);
  if (!role) return `${t('The role “{0}” no longer exists.', safeLine(name))}\n`;
  return role.prompt.trim() === ''
    ? `${t('This role has no prompt: it only changes which tools are available.')}\n`
    : safeText(role.prompt);
}
