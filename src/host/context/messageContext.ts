import * as vscode from 'vscode';
import { fuzzyScore } from '../../base/fuzzyScore';
import {
  attachFile,
  attachFolder,
  type Attachment,
  attachPage,
  type FileSearch,
  type FileSystem,
  type PathStyle,
  textAttachment,
  type Web,
} from '../../engine';
import type { ContextHit } from '../../protocol/hostApi';
import type { ContextItem, MessageItem } from '../../protocol/messageItem';
import { openRepositories } from '../editor/gitRepositories';
import { problemText } from '../editor/mention';
import { CHANGES, itemOfUri, nameOf, pageItem, problemsItem, selectionItem, symbolItem } from './contextItems';
import { FileIndex } from './fileIndex';

const ENDLESS_MS = 40_000;

export interface MessageContextParts {
  files: FileSystem;
  paths: PathStyle;
  search: FileSearch;
  web: Web;
  /** Absolute folder that relative paths are meant from. */
  workspaceFolder: () => string;
}

/** What goes with a message: finds it, and reads it when the message is sent. */
export class MessageContext {
  private readonly index: FileIndex;

  constructor(private readonly parts: MessageContextParts) {
    this.index = new FileIndex(parts.search, parts.paths, () => Date.now());
  }

  search(query: string, signal: AbortSignal): Promise<ContextHit[]> {
    return contextSearch({ index: this.index, paths: this.parts.paths }, query, signal);
  }

  /** What was dropped; addresses of other things than files are left out. */
  async fromUris(uris: readonly string[]): Promise<ContextItem[]> {
    const items = uris.map(async (text) => {
      const uri = vscode.Uri.parse(text);
      // The address of a file as a remote window knows it.
      const file = uri.scheme === 'vscode-remote' ? vscode.Uri.file(uri.path) : uri;
      return file.scheme === 'file' ? await itemOfUri(file) : undefined;
    });
    return (await Promise.all(items)).flatMap((item) => (item ? [item] : []));
  }

  /** Everything as the model gets it. Rejects with a sentence that names what could not be read. */
  read(items: readonly MessageItem[]): Promise<Attachment[]> {
    const signal = AbortSignal.timeout(ENDLESS_MS);
    return Promise.all(items.map((item) => this.readOne(item, signal)));
  }

  private async readOne(item: MessageItem, signal: AbortSignal): Promise<Attachment> {
    const folder = this.parts.workspaceFolder();
    switch (item.kind) {
      case 'image': {
        const { mediaType, data, label, thumbnail } = item;
        return { type: 'image', image: { mediaType, data }, label, thumbnail };
      }
      case 'folder':
        return attachFolder(this.parts, folder, { label: item.label, path: item.target }, signal);
      case 'page':
        return attachPage(this.parts.web, item.target, item.label, signal);
      case 'problems':
        return this.problems(item);
      case 'changes':
        return (await import('./gitChanges')).gitChanges(this.parts, await openRepositories(), item.label);
      case 'file':
      case 'symbol':
      case 'selection': {
        if (isAddress(item.target)) return ofDocument(item);
        const { kind, label, target: path, lines } = item;
        return attachFile(this.parts, folder, { kind, label, path, ...(lines && { lines }) });
      }
    }
  }

  private problems({ label, target }: ContextItem): Attachment {
    const { paths, workspaceFolder } = this.parts;
    const wanted = target === '' ? undefined : vscode.Uri.file(paths.resolve(workspaceFolder(), target));
    const all: [vscode.Uri, readonly vscode.Diagnostic[]][] = wanted
      ? [[wanted, vscode.languages.getDiagnostics(wanted)]]
      : vscode.languages.getDiagnostics();
    const texts = all.flatMap(([uri, found]) => (found.length > 0 ? [problemText(uri, found)] : []));
    const source = target === '' ? 'problems that the editor reports' : `problems in ${target}`;
    return textAttachment({ kind: 'problems', label }, source, texts.join('\n') || '(none)');
  }
}

/** More than one letter before the colon: a drive of Windows has one. */
function isAddress(target: string): boolean {
  return /^[a-z][a-z\d+.-]+:/i.test(target);
}

/** A document that is no file, such as one that was never saved. */
async function ofDocument({ kind, label, target, lines }: ContextItem): Promise<Attachment> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(target));
  const range = lines && new vscode.Range(lines.first - 1, 0, lines.last, 0);
  return textAttachment({ kind, label }, label, document.getText(range));
}

const MAX_FILES = 20;
const MAX_SYMBOLS = 6;

/** A language server that needs longer is left out of this search. */
const SYMBOLS_MS = 600;

/** What a person may mean by what they typed after `@`, what is nearest to them first. */
async function contextSearch(
  { index, paths }: { index: FileIndex; paths: PathStyle },
  query: string,
  signal: AbortSignal,
): Promise<ContextHit[]> {
  if (/^https?:\/\/./i.test(query)) {
    return URL.canParse(query) ? [{ item: pageItem(query), detail: 'The page, as text' }] : [];
  }
  const near = (await nearbyHits()).filter(({ item }) => matches(query, item.label));
  if (query === '') return [...near, ...(await openFiles(near))];
  const [files, symbols] = await Promise.all([fileHits(index, paths, query, signal), symbolHits(query)]);
  return [...near, ...files, ...symbols];
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
