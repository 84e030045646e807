import * as vscode from 'vscode';
import {
  type Attachment,
  attachFile,
  attachFolder,
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
import { problemText } from '../editor/problemText';
import { itemOfUri } from './contextItems';
import { contextSearch } from './contextSearch';
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
