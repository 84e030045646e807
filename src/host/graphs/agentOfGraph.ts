import * as vscode from 'vscode';
import type { AgentDefinition, Engine } from '../../engine';
import { commandId } from '../contributionPoints';

/** The agent that a file defines; undefined while it is unusable or another agent with its name takes precedence. */
export async function agentOfGraph(engine: Engine, uri: vscode.Uri): Promise<AgentDefinition | undefined> {
  return (await engine.agents.list()).find(({ source }) => source.path === uri.fsPath);
}

/** The argument with which the command that starts chats picks that agent. */
export function chatArgument({ name, source: { path } }: AgentDefinition) {
  return { kind: 'agents', name, source: { path } };
}

/** Opens a new session answered by that agent. */
export async function chatWithGraph(engine: Engine, uri: vscode.Uri): Promise<void> {
  const agent = await agentOfGraph(engine, uri);
  if (agent) await vscode.commands.executeCommand(commandId('startChat'), chatArgument(agent));
}
