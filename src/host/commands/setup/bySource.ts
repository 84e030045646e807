import * as vscode from 'vscode';
import type { ContentSource } from '../../../engine';

const GROUPS = [
  { scope: 'workspace', label: 'This workspace' },
  { scope: 'user', label: 'Yours' },
  { scope: 'builtin', label: 'Comes with Cairn' },
] as const;

const WORLDS: Partial<Record<ContentSource['world'], string>> = {
  opencode: 'OpenCode',
  claude: 'Claude',
  copilot: 'Copilot',
};

export interface SourceItem<T> extends vscode.QuickPickItem {
  content?: T;
}

/** Rows of a list, under headings that say whose they are. */
export function bySource<T extends { name: string; description: string; source: ContentSource }>(
  all: readonly T[],
  more: (content: T) => Partial<vscode.QuickPickItem>,
): SourceItem<T>[] {
  return GROUPS.flatMap(({ scope, label }) => {
    const rows = all.filter(({ source }) => source.scope === scope).map((content) => itemOf(content, more(content)));
    return rows.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator }, ...rows] : [];
  });
}

function itemOf<T extends { name: string; description: string; source: ContentSource }>(
  content: T,
  { description: note, ...more }: Partial<vscode.QuickPickItem>,
): SourceItem<T> {
  const notes = [note, WORLDS[content.source.world]].filter((one) => one !== undefined);
  return {
    label: content.name,
    ...(notes.length > 0 && { description: notes.join(' · ') }),
    ...(content.description !== '' && { detail: content.description }),
    ...more,
    content,
  };
}
