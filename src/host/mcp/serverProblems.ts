import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { safeLine } from '../../base/shown/safeText';
import { parseServers, type ServerFile, serverFilesIn } from '../../engine';
import type { Host } from '../host';
import { followTexts } from '../shown/followTexts';

/** How long after the last keystroke the text is checked. */
const QUIET_MS = 200;

/** Reports problems in files that define MCP servers in the Problems view while they are edited. */
export function serverProblems({ mcp, mcpPlace, paths }: Pick<Host, 'mcp' | 'mcpPlace' | 'paths'>): Disposable {
  const store = new DisposableStore();
  const collection = store.add(vscode.languages.createDiagnosticCollection('cairn-mcp'));
  const fileOf = ({ uri }: vscode.TextDocument) =>
    uri.scheme === 'file'
      ? serverFilesIn({ configFolder: dirname(mcp.ownFile), ...mcpPlace() }, paths).find(
          ({ path }) => path === uri.fsPath,
        )
      : undefined;
  const look = (document: vscode.TextDocument) => {
    const file = fileOf(document);
    if (file && !document.isClosed) collection.set(document.uri, problemsOf(document, file));
  };
  store.add(followTexts({ isMeant: (document) => fileOf(document) !== undefined, quietMs: QUIET_MS, look }));
  store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => collection.delete(uri)));
  return store;
}

function problemsOf(document: vscode.TextDocument, file: ServerFile): vscode.Diagnostic[] {
  const text = document.getText();
  if (text.trim() === '') return [];
  return parseServers(text, file).problems.map((problem) => {
    const [, line = '1', message = problem] = /^(\d+): ([^]*)$/.exec(problem.slice(file.path.length + 1)) ?? [];
    const { text: shown, firstNonWhitespaceCharacterIndex: from } = document.lineAt(
      Math.min(Number(line), document.lineCount) - 1,
    );
    const range = new vscode.Range(Number(line) - 1, from, Number(line) - 1, shown.trimEnd().length);
    const diagnostic = new vscode.Diagnostic(range, safeLine(message, 1000), vscode.DiagnosticSeverity.Error);
    diagnostic.source = 'Cairn';
    return diagnostic;
  });
}
