import * as vscode from 'vscode';
import { setTranslations } from '../base/l10n';
import type { CairnApi } from '../library/cairnApi';
import { readTranslations } from '../protocol/panelDocument';
import { Container } from './container';

let container: Container | undefined;

export function activate(context: vscode.ExtensionContext): CairnApi {
  if (vscode.l10n.bundle) setTranslations(readTranslations(vscode.l10n.bundle));
  container = new Container(context);
  return container.api;
}

/** The editor waits a few seconds for this, long enough to end the processes of runs. */
export async function deactivate(): Promise<void> {
  await container?.shutDown();
  container = undefined;
}
