import * as vscode from 'vscode';
import { isRecord } from '../../base/isRecord';
import { t } from '../../base/l10n';
import { commandId } from '../contributionPoints';

/** Where the quick fix was requested. */
interface FixTarget {
  uri: vscode.Uri;
  range: vscode.Range;
}

/** Offers "Fix with Cairn" among a problem's quick fixes. */
export class FixActions implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];

  provideCodeActions(
    { uri }: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    if (diagnostics.length === 0) return [];
    const action = new vscode.CodeAction(t('Fix with Cairn'), vscode.CodeActionKind.QuickFix);
    const target: FixTarget = { uri, range };
    action.command = { title: action.title, command: commandId('fix'), arguments: [target] };
    action.diagnostics = [...diagnostics];
    return [action];
  }
}

export function isFixTarget(value: unknown): value is FixTarget {
  return isRecord(value) && value['uri'] instanceof vscode.Uri && value['range'] instanceof vscode.Range;
}
