import type * as vscode from 'vscode';
import type { CairnApi } from '../library/cairnApi';
import { Container } from './container';

let container: Container | undefined;

export function activate(context: vscode.ExtensionContext): CairnApi {
  container = new Container(context);
  return container.api;
}

/** The editor waits for this a few seconds: long enough to end the processes of runs. */
export async function deactivate(): Promise<void> {
  await container?.shutDown();
  container = undefined;
}
