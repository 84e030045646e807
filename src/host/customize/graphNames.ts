import { dirname, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { t } from '../../base/l10n';
import { type Engine, type GraphSymbol, graphSymbols, nodeIdProblem } from '../../engine';
import { plainHover } from './contentCompletion';
import { contentUri } from './contentDocuments';

const GRAPHS: vscode.DocumentFilter = { scheme: 'file', pattern: '**/{agent,agents}/**/graph.yaml' };

/** Registers definitions, references, hovers, and renames for the names in graphs. */
export function graphNames(engine: Engine): Disposable {
  const store = new DisposableStore();
  const { registerDefinitionProvider, registerHoverProvider, registerReferenceProvider, registerRenameProvider } =
    vscode.languages;
  store.add(registerHoverProvider(GRAPHS, { provideHover: (document, at) => graphHover(engine, document, at) }));
  store.add(
    registerDefinitionProvider(GRAPHS, {
      provideDefinition: (document, at) => graphDefinition(engine, document, at),
    }),
  );
  store.add(
    registerReferenceProvider(GRAPHS, {
      provideReferences: (document, at, how) => graphReferences(document, at, how),
    }),
  );
  store.add(
    registerRenameProvider(GRAPHS, {
      prepareRename: (document, at) => renamedNode(document, at),
      provideRenameEdits: (document, at, name) => renameNode(document, at, name),
    }),
  );
  return store;
}

type At = readonly [document: vscode.TextDocument, position: vscode.Position];

interface Found {
  readonly symbol: GraphSymbol;
  readonly all: readonly GraphSymbol[];
}

/** The definition of the node, agent, script, or skill under the cursor. */
async function graphDefinition(engine: Engine, ...at: At): Promise<vscode.Location | undefined> {
  const [document] = at;
  const found = await symbolAt(...at);
  if (!found) return undefined;
  const { kind, name } = found.symbol;
  if (kind === 'node') return definitionOf(name, found.all, document);
  if (kind === 'script') return scriptLocation(document, name);
  const item = await (kind === 'agent' ? engine.agents.find(name) : engine.skills.find(name));
  return item && new vscode.Location(contentUri(item.source), new vscode.Position(0, 0));
}

/** All references to a node. */
async function graphReferences(
  document: vscode.TextDocument,
  position: vscode.Position,
  { includeDeclaration }: vscode.ReferenceContext,
): Promise<vscode.Location[]> {
  const found = await symbolAt(document, position);
  if (!found) return [];
  return sameAs(found)
    .filter(({ isDefinition }) => includeDeclaration || !isDefinition)
    .map((symbol) => new vscode.Location(document.uri, rangeOf(symbol)));
}

/** What to show when a rename starts. Rejects if there is no node name at the position. */
async function renamedNode(...at: At): Promise<{ range: vscode.Range; placeholder: string }> {
  const { symbol } = await nodeAt(...at);
  return { range: rangeOf(symbol), placeholder: symbol.name };
}

/** Renames a node everywhere in the file. Scripts that reference it are reported as problems. */
async function renameNode(
  document: vscode.TextDocument,
  position: vscode.Position,
  name: string,
): Promise<vscode.WorkspaceEdit> {
  const found = await nodeAt(document, position);
  const problem = name === found.symbol.name ? undefined : nodeIdProblem(name, found.all);
  if (problem !== undefined) throw new Error(problem);
  const edit = new vscode.WorkspaceEdit();
  for (const symbol of sameAs(found)) edit.replace(document.uri, rangeOf(symbol), name);
  return edit;
}

/** Describes the node, agent, or skill under the pointer. */
async function graphHover(engine: Engine, ...at: At): Promise<vscode.Hover | undefined> {
  const [document] = at;
  const found = await symbolAt(...at);
  if (!found) return undefined;
  const text = await aboutSymbol(engine, document, found.symbol);
  if (text === undefined || text === '') return undefined;
  return plainHover(text, rangeOf(found.symbol));
}

async function aboutSymbol(
  engine: Engine,
  document: vscode.TextDocument,
  { kind, name }: GraphSymbol,
): Promise<string | undefined> {
  if (kind === 'agent') return (await engine.agents.find(name))?.description;
  if (kind === 'skill') return (await engine.skills.find(name))?.description;
  const place = engine.content.placeOf(document.uri.fsPath);
  if (kind !== 'node' || !place) return undefined;
  const help = await engine.content.help(place, document.getText());
  return (await help.values(['start'])).find((node) => node.name === name)?.description;
}

async function symbolAt(document: vscode.TextDocument, position: vscode.Position): Promise<Found | undefined> {
  const all = await graphSymbols(document.getText(), document.uri.fsPath);
  const symbol = all.find((one) => rangeOf(one).contains(position));
  return symbol && { symbol, all };
}

async function nodeAt(...at: At): Promise<Found> {
  const found = await symbolAt(...at);
  if (found?.symbol.kind !== 'node') throw new Error(t('Only the nodes of a graph can be renamed.'));
  return found;
}

function sameAs({ symbol: { kind, name }, all }: Found): GraphSymbol[] {
  return all.filter((one) => one.kind === kind && one.name === name);
}

function definitionOf(
  name: string,
  all: readonly GraphSymbol[],
  { uri }: vscode.TextDocument,
): vscode.Location | undefined {
  const written = all.find((one) => one.kind === 'node' && one.isDefinition && one.name === name);
  return written && new vscode.Location(uri, rangeOf(written));
}

/** Only scripts in the agent's folder are resolved. */
async function scriptLocation({ uri }: vscode.TextDocument, script: string): Promise<vscode.Location | undefined> {
  const folder = dirname(uri.fsPath);
  const path = join(folder, script);
  if (relative(folder, path).startsWith('..')) return undefined;
  const file = vscode.Uri.file(path);
  const isThere = await vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  return isThere ? new vscode.Location(file, new vscode.Position(0, 0)) : undefined;
}

function rangeOf({ start, end }: GraphSymbol): vscode.Range {
  return new vscode.Range(start.line - 1, start.column - 1, end.line - 1, end.column - 1);
}
