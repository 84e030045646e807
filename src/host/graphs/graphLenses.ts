import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { t } from '../../base/l10n';
import type { AgentDefinition, Engine } from '../../engine';
import { commandId, CONTENT_SCHEME } from '../contributionPoints';

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

/** The agent that a file defines; undefined while it is unusable or another agent with its name takes precedence. */
export async function agentOfGraph(engine: Engine, uri: vscode.Uri): Promise<AgentDefinition | undefined> {
  return (await engine.agents.list()).find(({ source }) => source.path === uri.fsPath);
}

/** The argument with which the command that starts chats picks that agent. */
function chatArgument({ name, source: { path } }: AgentDefinition) {
  return { kind: 'agents', name, source: { path } };
}

/** Opens a new session answered by that agent. */
export async function chatWithGraph(engine: Engine, uri: vscode.Uri): Promise<void> {
  const agent = await agentOfGraph(engine, uri);
  if (agent) await vscode.commands.executeCommand(commandId('startChat'), chatArgument(agent));
}
