import * as vscode from 'vscode';
import type { Engine } from '../../engine';
import { ROLE_SCHEME } from '../contributionPoints';

/** The prompts of roles as documents that are only read. */
export class RolePreview implements vscode.TextDocumentContentProvider {
  constructor(private readonly engine: Pick<Engine, 'roles'>) {}

  /** Shows it beside a list that stays open. */
  static async show(name: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.from({ scheme: ROLE_SCHEME, path: `/${name}.md` }),
    );
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
  }

  async provideTextDocumentContent({ path }: vscode.Uri): Promise<string> {
    const name = path.slice(1).replace(/\.md$/, '');
    const role = await this.engine.roles.find(name);
    if (!role) return `There is no role “${name}” any more.\n`;
    return role.prompt.trim() === '' ? 'This role says nothing: it only changes which tools there are.\n' : role.prompt;
  }
}
