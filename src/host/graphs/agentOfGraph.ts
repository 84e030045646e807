import * as vscode from 'vscode';
import type { AgentDefinition, Engine } from '../../engine';
import { commandId } from '../contributionPoints';

/** The agent that a file describes; undefined while it cannot be used, or another of its name wins. */
export async function agentOfGraph(engine: Engine, uri: vscode.Uri): Promise<AgentDefinition | undefined> {
  return (await engine.agents.list()).find(({ source }) => source.path === uri.fsPath);
}

/** What has the command that starts chats take that agent. */
export function chatArgument({ name, source: { path } }: AgentDefinition) {
  return { kind: 'agents', name, source: { path } };
}

/** Opens a new chat in which that agent answers. */
export async function chatWithGraph(engine: Engine, uri: vscode.Uri): Promise<void> {
  const agent = await agentOfGraph(engine, uri);
  if (agent) await vscode.commands.executeCommand(commandId('startChat'), chatArgument(agent));
}
