import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { t } from '../../base/l10n';
import type { Engine } from '../../engine';
import { commandId, CONTENT_SCHEME } from '../contributionPoints';
import { agentOfGraph, chatArgument } from './agentOfGraph';

const GRAPHS: vscode.DocumentSelector = ['file', CONTENT_SCHEME].map((scheme) => ({
  scheme,
  pattern: '**/{agent,agents}/**/graph.yaml',
}));

/** Lenses above a graph in the editor: to draw it, and to run it once it can be used. */
export function graphLenses(engine: Engine): Disposable {
  const store = new DisposableStore();
  const changes = store.add(new vscode.EventEmitter<void>());
  store.add(engine.agents.onChanged(() => changes.fire()));
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changes.event,
    async provideCodeLenses({ uri }) {
      const agent = await agentOfGraph(engine, uri);
      const top = new vscode.Range(0, 0, 0, 0);
      const preview = { title: t('Preview graph'), command: commandId('previewGraph'), arguments: [uri] };
      const run = agent && { title: t('Run'), command: commandId('startChat'), arguments: [chatArgument(agent)] };
      return [preview, ...(run ? [run] : [])].map((command) => new vscode.CodeLens(top, command));
    },
  };
  store.add(vscode.languages.registerCodeLensProvider(GRAPHS, provider));
  return store;
}
