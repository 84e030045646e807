import * as vscode from 'vscode';
import { safeFileName } from '../../base/shown/safeLabel';
import { safeLine, safeText } from '../../base/shown/safeText';
import type { Engine } from '../../engine';
import { ROLE_SCHEME } from '../contributionPoints';

/** The prompts of roles as documents that are only read. In Markdown the editor itself marks nothing that is not seen. */
export class RolePreview implements vscode.TextDocumentContentProvider {
  constructor(private readonly engine: Pick<Engine, 'roles'>) {}

  /** Shows it beside a list that stays open. */
  static async show(name: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.from({ scheme: ROLE_SCHEME, path: `/${safeFileName(name)}.md`, query: name }),
    );
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
  }

  async provideTextDocumentContent({ query: name }: vscode.Uri): Promise<string> {
    const role = await this.engine.roles.find(name);
    if (!role) return `There is no role “${safeLine(name)}” any more.\n`;
    return role.prompt.trim() === ''
      ? 'This role says nothing: it only changes which tools there are.\n'
      : safeText(role.prompt);
  }
}
