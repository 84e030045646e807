import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Log, McpPlace } from '../../engine';
import type { LateScriptTools } from '../../node/scripts/lateScriptTools';
import { followTexts } from '../shown/followTexts';

interface ToolScriptParts {
  scripts: LateScriptTools;
  place: () => McpPlace;
  log: Log;
}

/** Matched by path only, because the editor has its own languages for these files. */
const FILES: vscode.DocumentSelector = [
  { scheme: 'file', pattern: '**/tools/*.{sh,py,ts,js}' },
  { scheme: 'file', pattern: '**/{agent,agents}/**/tools.{sh,py,ts,js}' },
];
/** How long after the last keystroke the script is described. */
const QUIET_MS = 300;

/**
 * Support for editing tools: problems in the Problems view, and a lens to run each tool. The implementation is loaded with the
 * first such file.
 */
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
