import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { SETTINGS } from '../contributionPoints';
import type { Host } from '../host';

/**
 * Offers tools to the editor according to the setting, following its changes. The implementation is loaded once there is
 * something to offer.
 */
export function editorTools(host: Host, workspaceFolder: () => string): Disposable {
  const store = new DisposableStore();
  const setting = `cairn.${SETTINGS.editorTools}`;
  let offered: Disposable | undefined;
  let turn = 0;
  const follow = async () => {
    const wanted = vscode.workspace.getConfiguration().get<unknown>(setting);
    const mine = ++turn;
    offered?.dispose();
    offered = undefined;
    if (!Array.isArray(wanted) || wanted.length === 0) return;
    const { offerTools } = await import('./offerTools');
    if (mine === turn) offered = offerTools(wanted, host, workspaceFolder);
  };
  const now = () => {
    follow().catch((error: unknown) => host.log.error('Tools could not be offered to the editor', error));
  };
  store.add(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(setting)) now();
    }),
  );
  store.add({
    dispose() {
      turn++;
      offered?.dispose();
    },
  });
  now();
  return store;
}
