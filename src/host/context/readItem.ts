import * as vscode from 'vscode';
import {
  attachFile,
  attachFolder,
  type Attachment,
  attachPage,
  textAttachment,
  type FileSearch,
  type FileSystem,
  type PathStyle,
  type Web,
} from '../../engine';
import type { ContextItem, MessageItem } from '../../protocol/messageItem';
import { openRepositories } from '../editor/gitRepositories';
import { problemText } from '../editor/mention';
import type { ServersHere } from '../mcp/serverResources';
import type { AgentsHere } from './agentItems';
import type { TerminalOutputs } from './terminalOutputs';

export interface MessageContextParts extends ServersHere, AgentsHere {
  files: FileSystem;
  paths: PathStyle;
  search: FileSearch;
  web: Web;
  /** Output of commands in terminals. */
  terminals: Pick<TerminalOutputs, 'all'>;
  /** The absolute folder that relative paths resolve against. */
  workspaceFolder: () => string;
}

/** Reads an item as sent to the model. Rejects with a message that names what could not be read. */
export async function readItem(
  parts: MessageContextParts,
  item: MessageItem,
  signal: AbortSignal,
): Promise<Attachment | readonly Attachment[]> {
  const folder = parts.workspaceFolder();
  switch (item.kind) {
    case 'image': {
      const { mediaType, data, label, thumbnail } = item;
      return { type: 'image', image: { mediaType, data }, label, thumbnail };
    }
    case 'folder':
      return attachFolder(parts, folder, { label: item.label, path: item.target }, signal);
    case 'page':
      return attachPage(parts.web, item.target, item.label, signal);
    case 'resource':
      return (await import('../mcp/serverResources')).readServerResource(parts, item, signal);
    case 'agent':
      return (await import('./agentItems')).agentAttachment(parts, item);
    case 'problems':
      return problems(parts, item);
    case 'terminal':
      return (await import('./terminalItems')).terminalAttachment(parts.terminals, item);
    case 'changes':
      return (await import('./gitChanges')).gitChanges(parts, await openRepositories(), item.label);
    case 'file':
    case 'symbol':
    case 'selection': {
      if (isAddress(item.target)) return ofDocument(item);
      const { kind, label, target: path, lines } = item;
      return attachFile(parts, folder, { kind, label, path, ...(lines && { lines }) });
    }
  }
}

function problems({ paths, workspaceFolder }: MessageContextParts, { label, target }: ContextItem): Attachment {
  const wanted = target === '' ? undefined : vscode.Uri.file(paths.resolve(workspaceFolder(), target));
  const all: [vscode.Uri, readonly vscode.Diagnostic[]][] = wanted
    ? [[wanted, vscode.languages.getDiagnostics(wanted)]]
    : vscode.languages.getDiagnostics();
  const texts = all.flatMap(([uri, found]) => (found.length > 0 ? [problemText(uri, found)] : []));
  const source = target === '' ? 'problems that the editor reports' : `problems in ${target}`;
  return textAttachment({ kind: 'problems', label }, source, texts.join('\n') || '(none)');
}

/** Requires more than one letter before the colon, because a Windows drive has one. */
function isAddress(target: string): boolean {
  return /^[a-z][a-z\d+.-]+:/i.test(target);
}

/** Reads a document that is not a file, such as one that was never saved. */
async function ofDocument({ kind, label, target, lines }: ContextItem): Promise<Attachment> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(target));
  const range = lines && new vscode.Range(lines.first - 1, 0, lines.last, 0);
  return textAttachment({ kind, label }, label, document.getText(range));
}
