import * as vscode from 'vscode';
import type { Host } from '../host';
import { effectivePromptUri } from './contentDocuments';
import { pickContent } from './pickContent';

/** Opens what an agent is told and which tools it has; the person picks one when none was given. */
export async function showPrompt(engine: Host['engine'], argument: unknown): Promise<void> {
  const options = { title: 'Show the effective prompt of an agent', kinds: ['agents'] } as const;
  const picked = await pickContent(engine, argument, options);
  if (!picked) return;
  const document = await vscode.workspace.openTextDocument(effectivePromptUri(picked.item.name));
  await vscode.window.showTextDocument(document, { preview: false });
}

/** Opens a new session that an agent answers in. */
export async function chatWith({ engine, chats, panels, setup }: Host, argument: unknown): Promise<void> {
  const agents = new Map((await engine.agents.list()).map((agent) => [agent.name, agent]));
  const picked = await pickContent(engine, argument, {
    title: 'Start a chat with an agent',
    kinds: ['agents'],
    fits: ({ item }) => agents.get(item.name)?.hidden === false && agents.get(item.name)?.mode !== 'subagent',
  });
  if (!picked) return;
  const chat = await chats.openNew();
  await panels.show(chat.session.id);
  // It may have a session of its own, which is shown then.
  await setup.chooseAgent(chat, picked.item.name);
}
