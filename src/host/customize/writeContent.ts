import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import {
  CONTENT_KINDS,
  contentFile,
  type ContentKind,
  contentNameProblem,
  type ContentScope,
  type Engine,
  EngineError,
  GRAPH_TEMPLATES,
  type GraphTemplate,
  type Named,
} from '../../engine';
import type { Host } from '../host';
import { askText } from '../shown/askText';
import { pickRow } from '../shown/pickList';
import { effectivePromptUri } from './contentDocuments';
import { sourceText } from './customizationNode';

interface Words {
  example: string;
  where: () => string;
  inWorkspace: () => string;
  forYou: () => string;
  exists: () => string;
  replaces: (name: string) => string;
}

const WORDS: Record<ContentKind, Words> = {
  agents: {
    example: 'release-notes',
    where: () => t('Where should the new agent be created?'),
    inWorkspace: () => t('New agent in this workspace'),
    forYou: () => t('New agent for you'),
    exists: () => t('An agent with this name already exists.'),
    replaces: (name) => t('This will replace the existing agent “{0}”.', name),
  },
  skills: {
    example: 'our-api',
    where: () => t('Where should the new skill be created?'),
    inWorkspace: () => t('New skill in this workspace'),
    forYou: () => t('New skill for you'),
    exists: () => t('A skill with this name already exists.'),
    replaces: (name) => t('This will replace the existing skill “{0}”.', name),
  },
  roles: {
    example: 'translator',
    where: () => t('Where should the new role be created?'),
    inWorkspace: () => t('New role in this workspace'),
    forYou: () => t('New role for you'),
    exists: () => t('A role with this name already exists.'),
    replaces: (name) => t('This will replace the existing role “{0}”.', name),
  },
};

/** Asks for a location and a name, writes a template there, and opens it. */
export async function writeNew(engine: Engine, kind: ContentKind): Promise<void> {
  const asked = await askPlace(engine, kind);
  if (!asked) return;
  await openNew(engine, kind, await engine.content.create(kind, asked.scope, asked.name));
}

const GRAPHS: Record<GraphTemplate, () => { label: string; detail: string }> = {
  approval: () => ({ label: t('Plan and approval'), detail: t('Plans, asks you, and then does the work') }),
  map: () => ({
    label: t('Parts of a task'),
    detail: t('Splits a task, works on its parts, and combines the results'),
  }),
  parallel: () => ({ label: t('Two sides'), detail: t('Looks at something from two sides at the same time') }),
};

/** Asks for a template, a location and a name, and writes and opens a graph agent. */
export async function writeNewGraph(engine: Engine): Promise<void> {
  const rows = GRAPH_TEMPLATES.map((template) => ({ ...GRAPHS[template](), icon: 'type-hierarchy', template }));
  const picked = await pickRow(rows, { title: t('New Graph') });
  const asked = picked && (await askPlace(engine, 'agents'));
  if (!asked) return;
  await openNew(engine, 'agents', await engine.content.createGraph(picked.template, asked.scope, asked.name));
}

async function openNew(engine: Engine, kind: ContentKind, path: string): Promise<void> {
  engine[kind].reload();
  await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
}

async function askPlace(engine: Engine, kind: ContentKind): Promise<{ scope: ContentScope; name: string } | undefined> {
  const words = WORDS[kind];
  const scope = await pickScope(engine, kind);
  if (scope === undefined) return undefined;
  const installed = new Map((await engine[kind].list()).map(({ name, source }) => [name, source]));
  const validateInput = (text: string): string | vscode.InputBoxValidationMessage | undefined => {
    const name = text.trim();
    const problem = contentNameProblem(name);
    const same = installed.get(name);
    if (problem !== undefined || !same) return problem;
    if (same.path === fileIn(kind, engine.content.folderFor(kind, scope), name)) return words.exists();
    const message = words.replaces(name);
    return { message, severity: vscode.InputBoxValidationSeverity.Info };
  };
  const name = await askText({
    title: scope === 'workspace' ? words.inWorkspace() : words.forYou(),
    prompt: t('Name, for example {0}', words.example),
    validateInput,
    ignoreFocusOut: true,
  });
  return name === undefined ? undefined : { scope, name: name.trim() };
}

/** Copies the given item, or one the user picks, to the workspace and opens the copy. */
export async function duplicate(engine: Engine, argument: unknown): Promise<void> {
  const picked = await pickContent(engine, argument, {
    title: t('Duplicate to Workspace'),
    kinds: ['agents', 'skills', 'roles'],
    fits: ({ item }) => item.source.scope !== 'workspace' && engine.content.placeOf(item.source.path) !== undefined,
  });
  if (!picked) return;
  const path = await engine.content.copyToWorkspace(picked.item);
  engine[picked.kind].reload();
  await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
}

/** Asks the user for a location if there is a choice. The workspace is offered only if it is open and trusted. */
async function pickScope(engine: Engine, kind: ContentKind): Promise<ContentScope | undefined> {
  const folderOf = (scope: ContentScope) => engine.content.folderFor(kind, scope);
  const places = [
    {
      icon: 'root-folder',
      label: t('This workspace'),
      description: t('for everyone who works in it'),
      scope: 'workspace' as const,
    },
    { icon: 'account', label: t('Yours'), description: t('in every folder that you open'), scope: 'user' as const },
  ].flatMap((place) => {
    const folder = folderOf(place.scope);
    return folder === undefined ? [] : [{ ...place, detail: vscode.workspace.asRelativePath(folder) }];
  });
  const [only] = places;
  if (!only) throw new EngineError('invalid-state', t('No folder is open. Open a folder first.'));
  if (places.length === 1) return only.scope;
  return (await pickRow(places, { title: WORDS[kind].where() }))?.scope;
}

function fileIn(kind: ContentKind, folder: string | undefined, name: string): string | undefined {
  return folder === undefined ? undefined : vscode.Uri.file(contentFile(kind, folder, name)).fsPath;
}

/** Shows the prompt and tools of the given agent, or of one the user picks. */
export async function showPrompt(engine: Host['engine'], argument: unknown): Promise<void> {
  const options = { title: t('Show Effective Prompt'), kinds: ['agents'] } as const;
  const picked = await pickContent(engine, argument, options);
  if (!picked) return;
  const document = await vscode.workspace.openTextDocument(effectivePromptUri(picked.item.name));
  await vscode.window.showTextDocument(document, { preview: false });
}

/** Opens a new session answered by an agent. */
export async function chatWith({ engine, chats, panels, setup }: Host, argument: unknown): Promise<void> {
  const agents = new Map((await engine.agents.list()).map((agent) => [agent.name, agent]));
  const picked = await pickContent(engine, argument, {
    title: t('Start Chat with Agent'),
    kinds: ['agents'],
    fits: ({ item }) => {
      const agent = agents.get(item.name);
      return agent?.hidden === false && (agent.mode !== 'subagent' || agent.source.scope !== 'builtin');
    },
  });
  if (!picked) return;
  const chat = await chats.openNew();
  await panels.show(chat.session.id);
  // The agent may bring its own session, which is then shown.
  await setup.chooseAgent(chat, picked.item.name);
}

/** An agent, skill, or role. */
interface PickedContent {
  kind: ContentKind;
  item: Named & { description: string };
}

interface PickOptions {
  title: string;
  kinds: readonly ContentKind[];
  /** Filters which of the items in effect can be picked. */
  fits?: (picked: PickedContent) => boolean;
}

/** Returns the item of the row that a command was invoked on, otherwise asks the user. Returns undefined if the user canceled. */
async function pickContent(
  engine: Engine,
  argument: unknown,
  { title, kinds, fits = () => true }: PickOptions,
): Promise<PickedContent | undefined> {
  const all = await Promise.all(kinds.map((kind) => itemsOf(engine, kind)));
  const given = await givenContent(engine, argument);
  if (given) return given;
  const picks = all
    .flat()
    .filter(fits)
    .map((one) => ({
      label: one.item.name,
      description:
        kinds.length > 1 ? `${LABELS[one.kind]()} · ${sourceText(one.item.source)}` : sourceText(one.item.source),
      detail: one.item.description,
      content: one,
    }));
  const options = { title, matchOnDescription: true, matchOnDetail: true };
  return (await pickRow(picks, options))?.content;
}

const LABELS: Record<ContentKind, () => string> = {
  agents: () => t('agent'),
  skills: () => t('skill'),
  roles: () => t('role'),
};

async function itemsOf(engine: Engine, kind: ContentKind): Promise<PickedContent[]> {
  const catalog: { list(): Promise<readonly PickedContent['item'][]> } = engine[kind];
  return (await catalog.list()).map((item) => ({ kind, item }));
}

async function givenContent(engine: Engine, argument: unknown): Promise<PickedContent | undefined> {
  if (typeof argument !== 'object' || argument === null || !('kind' in argument && 'name' in argument))
    return undefined;
  const kind = CONTENT_KINDS.find((one) => one === argument.kind);
  if (!kind) return undefined;
  const catalog: { all(): Promise<readonly PickedContent['item'][]> } = engine[kind];
  const named = (await catalog.all()).filter(({ name }) => name === argument.name);
  const path = 'source' in argument ? pathOf(argument.source) : undefined;
  const item = named.find(({ source }) => source.path === path) ?? named.at(-1);
  return item && { kind, item };
}

function pathOf(source: unknown): unknown {
  return typeof source === 'object' && source !== null && 'path' in source ? source.path : undefined;
}
