import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { fuzzyScore } from '../../base/matching';
import type { PathStyle } from '../../engine';
import { type ContextCategory, readContextQuery } from '../../protocol/contextCategories';
import type { ContextHit } from '../../protocol/hostApi';
import { sameItem } from '../../protocol/messageItem';
import { openRepositories } from '../editor/gitRepositories';
import { resourceHits, type ServersHere } from '../mcp/serverResources';
import { agentHits, type AgentsHere } from './agentItems';
import { CHANGES, itemOfUri, nameOf, pageItem, problemsItem, selectionItem, symbolItem } from './contextItems';
import type { FileIndex, IndexedPath } from './fileIndex';
import { terminalHits } from './terminalItems';
import type { TerminalOutputs } from './terminalOutputs';

const MAX_FILES = 20;
const MAX_SYMBOLS = 6;
const MAX_AGENTS = 3;
/** The limit when only symbols are requested. */
const MAX_SYMBOLS_ONLY = 30;

/** A language server that takes longer is left out of the search. */
const SYMBOLS_MS = 600;

type SearchParts = ServersHere &
  AgentsHere & { index: FileIndex; paths: PathStyle; terminals: Pick<TerminalOutputs, 'all'> };

/** Suggestions for what the user typed after `@`, nearest to the user first. */
export async function contextSearch(parts: SearchParts, query: string, signal: AbortSignal): Promise<ContextHit[]> {
  const { only, words } = readContextQuery(query);
  const hits = only ? await categoryHits(parts, only, words, signal) : await allHits(parts, query, signal);
  return hits.filter(({ item }, at) => hits.findIndex((one) => sameItem(one.item, item)) === at);
}

async function allHits(parts: SearchParts, query: string, signal: AbortSignal): Promise<ContextHit[]> {
  if (/^https?:\/\/./i.test(query)) {
    return URL.canParse(query) ? [{ item: pageItem(query), detail: t('The page, as text') }] : [];
  }
  const looked = (await nearbyHits()).filter(({ item }) => matches(query, item.label));
  const printed = terminalHits(parts.terminals, query, 1).map((hit) => ({ ...hit, near: true as const }));
  const near = [...looked, ...printed];
  const resources = resourceHits(parts, query);
  if (query === '') return [...near, ...(await openFiles()), ...(await resources)];
  const [files, symbols, agents] = await Promise.all([
    fileHits(parts, query, signal),
    symbolHits(query),
    agentHits(parts, query, MAX_AGENTS),
  ]);
  return [...near, ...files, ...symbols, ...agents, ...(await resources)];
}

async function categoryHits(
  parts: SearchParts,
  only: ContextCategory,
  words: string,
  signal: AbortSignal,
): Promise<ContextHit[]> {
  switch (only) {
    case 'file': {
      const open = (await openFiles()).filter(({ item }) => matches(words, item.target));
      return [...open, ...(await fileHits(parts, words, signal, only))];
    }
    case 'folder':
      return fileHits(parts, words, signal, only);
    case 'symbol':
      return [...(await documentSymbolHits(words)), ...(await symbolHits(words))].slice(0, MAX_SYMBOLS_ONLY);
    case 'terminal':
      return terminalHits(parts.terminals, words, MAX_FILES);
    case 'resource':
      return resourceHits(parts, words);
    case 'agent':
      return agentHits(parts, words, MAX_FILES);
  }
}

function matches(query: string, label: string): boolean {
  return fuzzyScore(query.toLowerCase(), label.toLowerCase()) > 0;
}

/** What the user is looking at: the selection, the file, its problems, and the Git changes. */
async function nearbyHits(): Promise<ContextHit[]> {
  const editor = vscode.window.activeTextEditor;
  const hits: ContextHit[] = [];
  if (editor && !editor.selection.isEmpty) hits.push({ item: selectionItem(editor), detail: t('Selection') });
  if (editor?.document.uri.scheme === 'file') {
    hits.push({ item: await itemOfUri(editor.document.uri), detail: t('Open now') });
  }
  const all = vscode.languages.getDiagnostics().reduce((sum, [, problems]) => sum + problems.length, 0);
  if (all > 0)
    hits.push({ item: problemsItem(undefined), detail: all === 1 ? t('1 problem') : t('{0} problems', all) });
  if ((await openRepositories()).length > 0) hits.push({ item: CHANGES, detail: t('Uncommitted changes') });
  return hits.map(({ item, detail }) => ({ item, detail, near: true }));
}

async function openFiles(): Promise<ContextHit[]> {
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all);
  const uris = tabs.flatMap(({ input }) =>
    input instanceof vscode.TabInputText && input.uri.scheme === 'file' ? [input.uri] : [],
  );
  const items = await Promise.all(uris.slice(0, MAX_FILES).map((uri) => itemOfUri(uri).catch(() => undefined)));
  return items.flatMap((item) => (item ? [{ item, detail: folderOf(item.target) }] : []));
}

async function fileHits(
  { index, paths }: SearchParts,
  query: string,
  signal: AbortSignal,
  only?: IndexedPath['kind'],
): Promise<ContextHit[]> {
  const folders = vscode.workspace.workspaceFolders?.flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
  const found = await index.find(folders ?? [], query.replaceAll('\\', '/'), MAX_FILES, signal, only);
  const items = await Promise.all(
    found.map(({ absolute }) => itemOfUri(vscode.Uri.file(paths.resolve(absolute))).catch(() => undefined)),
  );
  return items.flatMap((item) => (item ? [{ item, detail: folderOf(item.target) }] : []));
}

async function symbolHits(query: string): Promise<ContextHit[]> {
  if (query.length < 2 || query.includes('/')) return [];
  const asked = vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  const found = (await inTime(asked)) ?? [];
  return found
    .filter(({ name, location }) => matches(query, name) && vscode.workspace.getWorkspaceFolder(location.uri))
    .slice(0, MAX_SYMBOLS)
    .map((symbol) => ({ item: symbolItem(symbol.name, symbol.location), detail: nameOf(symbol.location.uri.path) }));
}

/** Symbols of the current file, which can be offered before anything is typed. */
async function documentSymbolHits(query: string): Promise<ContextHit[]> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (!uri) return [];
  const asked = vscode.commands.executeCommand<(vscode.SymbolInformation | vscode.DocumentSymbol)[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    uri,
  );
  return flat((await inTime(asked)) ?? [])
    .filter(({ name }) => name !== '' && matches(query, name))
    .slice(0, MAX_SYMBOLS_ONLY)
    .map(({ name, range }) => ({ item: symbolItem(name, { uri, range }), detail: nameOf(uri.path) }));
}

function flat(
  symbols: readonly (vscode.SymbolInformation | vscode.DocumentSymbol)[],
): { name: string; range: vscode.Range }[] {
  return symbols.flatMap((one) =>
    'children' in one
      ? [{ name: one.name, range: one.range }, ...flat(one.children)]
      : [{ name: one.name, range: one.location.range }],
  );
}

/** The language server's result; undefined if it fails or takes too long. */
async function inTime<T>(asked: Thenable<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), SYMBOLS_MS);
  });
  try {
    return await Promise.race([asked, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

function folderOf(target: string): string {
  return target.slice(0, Math.max(0, target.replace(/[\\/]$/, '').search(/[\\/][^\\/]*$/)));
}
