import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { MAX_ATTACHED_BYTES, NAMED_ONLY } from '../../engine';
import type { ContextItem } from '../../protocol/messageItem';
import { lineSpan } from '../editor/mention';

/** Some language servers use a symbol's text as its name. */
const MAX_NAME = 200;

/** The target as told to the model: a relative path in the first folder, an absolute path elsewhere, a URI for anything but files. */
export function targetOf(uri: vscode.Uri): string {
  if (uri.scheme !== 'file') return uri.toString();
  const isInFirst = vscode.workspace.getWorkspaceFolder(uri)?.index === 0;
  return isInFirst ? vscode.workspace.asRelativePath(uri, false) : uri.fsPath;
}

export function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Throws with a message for the user if nothing exists at the URI. */
export async function itemOfUri(uri: vscode.Uri): Promise<ContextItem> {
  const target = targetOf(uri);
  const label = nameOf(uri.path.replace(/\/$/, '')) || target;
  if (uri.scheme !== 'file') return { kind: 'file', label, target };
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.Directory) !== 0) return { kind: 'folder', label: `${label}/`, target };
    const long = size > MAX_ATTACHED_BYTES && !/\.(png|jpe?g|gif|webp)$/i.test(uri.path);
    return { kind: 'file', label, target, ...(long && { note: NAMED_ONLY }) };
  } catch {
    throw new Error(t('There is no {0}. It may have been moved or deleted.', target));
  }
}

export function selectionItem({ document, selection }: vscode.TextEditor): ContextItem {
  const lines = lineSpan(selection);
  return { kind: 'selection', label: placed(nameOf(document.uri.path), lines), target: targetOf(document.uri), lines };
}

export function symbolItem(name: string, { uri, range }: Pick<vscode.Location, 'uri' | 'range'>): ContextItem {
  return { kind: 'symbol', label: name.slice(0, MAX_NAME), target: targetOf(uri), lines: lineSpan(range) };
}

/** The problems of one file, or of all files without a `uri`. */
export function problemsItem(uri: vscode.Uri | undefined): ContextItem {
  if (!uri) return { kind: 'problems', label: t('Problems'), target: '' };
  return { kind: 'problems', label: t('Problems in {0}', nameOf(uri.path)), target: targetOf(uri) };
}

export const CHANGES: ContextItem = {
  kind: 'changes',
  get label() {
    return t('Git changes');
  },
  target: '',
};

export function pageItem(url: string): ContextItem {
  const { host, pathname } = new URL(url);
  return { kind: 'page', label: pathname === '/' ? host : `${host}${pathname}`, target: url };
}

function placed(name: string, { first, last }: { first: number; last: number }): string {
  return first === last ? `${name}:${first}` : `${name}:${first}-${last}`;
}
