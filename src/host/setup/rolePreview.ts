import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { safeFileName } from '../../base/shown/safeLabel';
import { safeLine, safeText } from '../../base/shown/safeText';
import type { Engine } from '../../engine';
import { ROLE_SCHEME } from '../contributionPoints';

/** Shows the prompt of a role beside a list that stays open, as a document that is only read. */
export async function showRole(name: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(
    vscode.Uri.from({ scheme: ROLE_SCHEME, path: `/${safeFileName(name)}.md`, query: name }),
  );
  await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
}

/** The text of that document. In Markdown the editor itself marks nothing that is not seen. */
export async function roleText(engine: Pick<Engine, 'roles'>, name: string): Promise<string> {
  const role = await engine.roles.find(name);
  if (!role) return `${t('The role “{0}” no longer exists.', safeLine(name))}\n`;
  return role.prompt.trim() === ''
    ? `${t('This role has no prompt: it only changes which tools are available.')}\n`
    : safeText(role.prompt);
}
