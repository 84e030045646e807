import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Log, McpPlace } from '../../engine';
import type { LateScriptTools } from '../../node/scripts/lateScriptTools';
import { followTexts } from '../shown/followTexts';

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
  const look = (document: vscode.TextDocument) => {
    import('./describedDocument')
      .then(({ tellProblems }) => tellProblems(document, parts, problems))
      .catch((error: unknown) => parts.log.error(`${document.fileName} could not be checked`, error));
  };
  const isMeant = (document: vscode.TextDocument) => vscode.languages.match(FILES, document) > 0;
  store.add(followTexts({ isMeant, quietMs: QUIET_MS, look }));
  store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => problems.delete(uri)));
  const provideCodeLenses = async (document: vscode.TextDocument) =>
    (await import('./describedDocument')).toolLenses(document, parts);
  store.add(vscode.languages.registerCodeLensProvider(FILES, { provideCodeLenses }));
  return store;
}
