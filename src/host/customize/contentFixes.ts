import * as vscode from 'vscode';
import { safeLine } from '../../base/shown/safeText';
import type { ContentProblems } from './contentProblems';

/** Puts the word that was meant in the place of the one that was written. */
export function contentFixes(
  problems: ContentProblems,
  document: vscode.TextDocument,
  range: vscode.Range,
): vscode.CodeAction[] {
  const here = problems.corrections(document.uri).filter((one) => one.range.intersection(range) !== undefined);
  return here.map(({ range: wrong, instead }) => {
    const fix = new vscode.CodeAction(`Change to “${safeLine(instead, 100, 'exact')}”`, vscode.CodeActionKind.QuickFix);
    fix.edit = new vscode.WorkspaceEdit();
    fix.edit.replace(document.uri, wrong, instead);
    fix.isPreferred = here.length === 1;
    fix.diagnostics = vscode.languages.getDiagnostics(document.uri).filter((one) => one.range.isEqual(wrong));
    return fix;
  });
}
