import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { safeText } from '../../base/shown/safeText';
import { commandId } from '../contributionPoints';
import type { McpPlace } from '../../engine';
import type { LateScriptTools } from '../../node/scripts/lateScriptTools';

/** A tool as passed by a lens to its command. */
export interface ToolAddress {
  /** Absolute. */
  path: string;
  name: string;
}

interface Parts {
  scripts: LateScriptTools;
  place: () => McpPlace;
}

/** Reports problems of a tool that is being edited in the Problems view. Reports nothing for a script that is not a tool. */
export async function tellProblems(
  document: vscode.TextDocument,
  parts: Parts,
  collection: vscode.DiagnosticCollection,
): Promise<void> {
  const { version } = document;
  const description = await describe(document, parts);
  if (document.isClosed || document.version !== version) return;
  const found = (description?.problems ?? []).map(({ severity, line, column, message }) => {
    const { text } = document.lineAt(Math.min(line, document.lineCount) - 1);
    const range = new vscode.Range(line - 1, column - 1, line - 1, Math.max(column, text.length));
    const level = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
    return Object.assign(new vscode.Diagnostic(range, safeText(message), level), { source: 'Cairn' });
  });
  collection.set(document.uri, found);
}

/** A "Run tool…" lens above each tool of a script. */
export async function toolLenses(document: vscode.TextDocument, parts: Parts): Promise<vscode.CodeLens[]> {
  const description = await describe(document, parts);
  return (description?.functions ?? []).map(({ name, line }) => {
    const address: ToolAddress = { path: document.uri.fsPath, name };
    const command = { title: `$(play) ${t('Run tool…')}`, command: commandId('runTool'), arguments: [address] };
    return new vscode.CodeLens(new vscode.Range(line - 1, 0, line - 1, 0), command);
  });
}

async function describe(document: vscode.TextDocument, { scripts, place }: Parts) {
  return (await scripts.tools()).describe(document.uri.fsPath, document.getText(), place());
}
