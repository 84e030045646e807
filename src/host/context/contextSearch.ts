import * as vscode from 'vscode';
import { fuzzyScore } from '../../base/fuzzyScore';
import type { PathStyle } from '../../engine';
import type { ContextHit } from '../../protocol/hostApi';
import { openRepositories } from '../editor/gitRepositories';
import { resourceHits, type ServersHere } from '../mcp/serverResources';
import { CHANGES, itemOfUri, nameOf, pageItem, problemsItem, selectionItem, symbolItem } from './contextItems';
import type { FileIndex } from './fileIndex';

const MAX_FILES = 20;
const MAX_SYMBOLS = 6;

/** A language server that needs longer is left out of this search. */
const SYMBOLS_MS = 600;

/** What a person may mean by what they typed after `@`, what is nearest to them first. */
export async function contextSearch(
  { index, paths, mcp, mcpPlace }: ServersHere & { index: FileIndex; paths: PathStyle },
  query: string,
  signal: AbortSignal,
): Promise<ContextHit[]> {
  if (/^https?:\/\/./i.test(query)) {
    return URL.canParse(query) ? [{ item: pageItem(query), detail: 'The page, as text' }] : [];
  }
  const near = (await nearbyHits()).filter(({ item }) => matches(query, item.label));
  const resources = resourceHits({ mcp, mcpPlace }, query);
  if (query === '') return [...near, ...(await openFiles(near)), ...(await resources)];
  const [files, symbols] = await Promise.all([fileHits(index, paths, query, signal), symbolHits(query)]);
  return [...near, ...files, ...symbols, ...(await resources)];
}

function matches(query: string, label: string): boolean {
  return fuzzyScore(query.toLowerCase(), label.toLowerCase()) > 0;
}

/** What the person looks at: the selection, the file, its problems, what git sees. */
async function nearbyHits(): Promise<ContextHit[]> {
  const editor = vscode.window.activeTextEditor;
  const hits: ContextHit[] = [];
  if (editor && !editor.selection.isEmpty) hits.push({ item: selectionItem(editor), detail: 'Selection' });
  if (editor?.document.uri.scheme === 'file') {
    hits.push({ item: await itemOfUri(editor.document.uri), detail: 'Open now' });
  }
  const all = vscode.languages.getDiagnostics().reduce((sum, [, problems]) => sum + problems.length, 0);
  if (all > 0) hits.push({ item: problemsItem(undefined), detail: all === 1 ? '1 problem' : `${all} problems` });
  if ((await openRepositories()).length > 0) hits.push({ item: CHANGES, detail: 'What is not committed' });
  return hits;
}

async function openFiles(known: readonly ContextHit[]): Promise<ContextHit[]> {
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all);
  const uris = tabs.flatMap(({ input }) =>
    input instanceof vscode.TabInputText && input.uri.scheme === 'file' ? [input.uri] : [],
  );
  const items = await Promise.all(uris.slice(0, MAX_FILES).map((uri) => itemOfUri(uri).catch(() => undefined)));
  return items.flatMap((item) => {
    if (!item || known.some((one) => one.item.kind === 'file' && one.item.target === item.target)) return [];
    return [{ item, detail: folderOf(item.target) }];
  });
}

async function fileHits(index: FileIndex, paths: PathStyle, query: string, signal: AbortSignal): Promise<ContextHit[]> {
  const folders = vscode.workspace.workspaceFolders?.flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
  const found = await index.find(folders ?? [], query.replaceAll('\\', '/'), MAX_FILES, signal);
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
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), SYMBOLS_MS);
  });
  try {
    const found = (await Promise.race([asked, late])) ?? [];
    return found
      .filter(({ name, location }) => matches(query, name) && vscode.workspace.getWorkspaceFolder(location.uri))
      .slice(0, MAX_SYMBOLS)
      .map((symbol) => ({ item: symbolItem(symbol), detail: nameOf(symbol.location.uri.path) }));
  } catch {
    // A language server that fails finds nothing.
    return [];
  } finally {
    clearTimeout(timer);
  }
}

function folderOf(target: string): string {
  return target.slice(0, Math.max(0, target.replace(/[\\/]$/, '').search(/[\\/][^\\/]*$/)));
}
