import * as vscode from 'vscode';
import {
  contentFile,
  type ContentKind,
  contentNameProblem,
  type ContentScope,
  type Engine,
  EngineError,
} from '../../engine';
import type { Host } from '../host';
import { askText } from '../shown/askText';
import { pickRow } from '../shown/pickList';
import { effectivePromptUri } from './contentDocuments';
import { pickContent } from './pickContent';

const WORDS: Record<ContentKind, { one: string; example: string }> = {
  agents: { one: 'agent', example: 'release-notes' },
  skills: { one: 'skill', example: 'our-api' },
  roles: { one: 'role', example: 'translator' },
};

/** Asks for a place and a name, writes a template there, and opens it. */
export async function writeNew(engine: Engine, kind: ContentKind): Promise<void> {
  const { one, example } = WORDS[kind];
  const scope = await pickScope(engine, kind);
  if (scope === undefined) return;
  const installed = new Map((await engine[kind].list()).map(({ name, source }) => [name, source]));
  const validateInput = (text: string): string | vscode.InputBoxValidationMessage | undefined => {
    const name = text.trim();
    const problem = contentNameProblem(name);
    const same = installed.get(name);
    if (problem !== undefined || !same) return problem;
    if (same.path === fileIn(kind, engine.content.folderFor(kind, scope), name))
      return `${articled(one)} with this name already exists.`;
    const message = `This will replace the existing ${one} “${name}”.`;
    return { message, severity: vscode.InputBoxValidationSeverity.Info };
  };
  const name = await askText({
    title: scope === 'workspace' ? `New ${one} in this workspace` : `New ${one} for you`,
    prompt: `Name, for example ${example}`,
    validateInput,
    ignoreFocusOut: true,
  });
  if (name === undefined) return;
  const path = await engine.content.create(kind, scope, name.trim());
  engine[kind].reload();
  await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
}

/** Copies what was given, or what the person picks, into the workspace, and opens the copy. */
export async function duplicate(engine: Engine, argument: unknown): Promise<void> {
  const picked = await pickContent(engine, argument, {
    title: 'Duplicate to Workspace',
    kinds: ['agents', 'skills', 'roles'],
    fits: ({ item }) => item.source.scope !== 'workspace' && engine.content.placeOf(item.source.path) !== undefined,
  });
  if (!picked) return;
  const path = await engine.content.copyToWorkspace(picked.item);
  engine[picked.kind].reload();
  await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
}

/** The workspace where there is one that is trusted; the person is asked only where there is a choice. */
async function pickScope(engine: Engine, kind: ContentKind): Promise<ContentScope | undefined> {
  const folderOf = (scope: ContentScope) => engine.content.folderFor(kind, scope);
  const places = [
    {
      icon: 'root-folder',
      label: 'This workspace',
      description: 'for everyone who works in it',
      scope: 'workspace' as const,
    },
    { icon: 'account', label: 'Yours', description: 'in every folder that you open', scope: 'user' as const },
  ].flatMap((place) => {
    const folder = folderOf(place.scope);
    return folder === undefined ? [] : [{ ...place, detail: vscode.workspace.asRelativePath(folder) }];
  });
  const [only] = places;
  if (!only) throw new EngineError('invalid-state', 'No folder is open. Open a folder first.');
  if (places.length === 1) return only.scope;
  const title = `Where should the new ${WORDS[kind].one} be created?`;
  return (await pickRow(places, { title }))?.scope;
}

function fileIn(kind: ContentKind, folder: string | undefined, name: string): string | undefined {
  return folder === undefined ? undefined : vscode.Uri.file(contentFile(kind, folder, name)).fsPath;
}

function articled(one: string): string {
  return one === 'agent' ? `An ${one}` : `A ${one}`;
}

/** Opens what an agent is told and which tools it has; the person picks one when none was given. */
export async function showPrompt(engine: Host['engine'], argument: unknown): Promise<void> {
  const options = { title: 'Show Effective Prompt', kinds: ['agents'] } as const;
  const picked = await pickContent(engine, argument, options);
  if (!picked) return;
  const document = await vscode.workspace.openTextDocument(effectivePromptUri(picked.item.name));
  await vscode.window.showTextDocument(document, { preview: false });
}

/** Opens a new session that an agent answers in. */
export async function chatWith({ engine, chats, panels, setup }: Host, argument: unknown): Promise<void> {
  const agents = new Map((await engine.agents.list()).map((agent) => [agent.name, agent]));
  const picked = await pickContent(engine, argument, {
    title: 'Start Chat with Agent',
    kinds: ['agents'],
    fits: ({ item }) => {
      const agent = agents.get(item.name);
      return agent?.hidden === false && (agent.mode !== 'subagent' || agent.source.scope !== 'builtin');
    },
  });
  if (!picked) return;
  const chat = await chats.openNew();
  await panels.show(chat.session.id);
  // It may have a session of its own, which is shown then.
  await setup.chooseAgent(chat, picked.item.name);
}
