import * as vscode from 'vscode';
import { type Disposable, DisposableStore, onDispose } from '../../base/disposable';
import type { Log, McpPlace } from '../../engine';
import type { LateScriptTools } from '../../node/scripts/lateScriptTools';

export interface ToolScriptParts {
  scripts: LateScriptTools;
  place: () => McpPlace;
  log: Log;
}

/** By their places alone: the editor has languages of its own for them. */
const FILES: vscode.DocumentSelector = [
  { scheme: 'file', pattern: '**/tools/*.{sh,py,ts,js}' },
  { scheme: 'file', pattern: '**/{agent,agents}/**/tools.{sh,py,ts,js}' },
];
/** So long after the last key the text is described. */
const QUIET_MS = 300;

/** Help while tools are written: what is wrong with them in the Problems view, and a lens to run them. Loaded with the first one. */
export function toolScripts(parts: ToolScriptParts): Disposable {
  const store = new DisposableStore();
  const problems = store.add(vscode.languages.createDiagnosticCollection('cairn-tools'));
  const timers = new Map<string, NodeJS.Timeout>();
  store.add(onDispose(() => timers.forEach((timer) => clearTimeout(timer))));
  const look = (document: vscode.TextDocument) => {
    if (vscode.languages.match(FILES, document) === 0) return;
    const key = document.uri.toString();
    clearTimeout(timers.get(key));
    const check = () => {
      timers.delete(key);
      import('./describedDocument')
        .then(({ tellProblems }) => tellProblems(document, parts, problems))
        .catch((error: unknown) => parts.log.error(`${document.fileName} could not be checked`, error));
    };
    timers.set(key, setTimeout(check, QUIET_MS));
  };
  store.add(vscode.workspace.onDidOpenTextDocument(look));
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)));
  store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => problems.delete(uri)));
  const provideCodeLenses = async (document: vscode.TextDocument) =>
    (await import('./describedDocument')).toolLenses(document, parts);
  store.add(vscode.languages.registerCodeLensProvider(FILES, { provideCodeLenses }));
  for (const document of vscode.workspace.textDocuments) look(document);
  return store;
}
