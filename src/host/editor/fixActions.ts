import * as vscode from 'vscode';
import { commandId } from '../contributionPoints';
import type { FixTarget } from '../commands/context/fixTarget';

/** "Fix with Cairn" among the quick fixes of a problem. */
export class FixActions implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];

  provideCodeActions(
    { uri }: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    if (diagnostics.length === 0) return [];
    const action = new vscode.CodeAction('Fix with Cairn', vscode.CodeActionKind.QuickFix);
    const target: FixTarget = { uri, range };
    action.command = { title: action.title, command: commandId('fix'), arguments: [target] };
    action.diagnostics = [...diagnostics];
    return [action];
  }
}
