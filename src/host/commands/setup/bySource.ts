import * as vscode from 'vscode';
import { type ContentSource, type Named, takenName } from '../../../engine';
import type { PickRow } from '../../shown/pickRow';

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

export interface SourceItem<T> extends PickRow {
  content?: T;
}

const TAKEN = { builtin: 'replaces the built-in one', user: 'replaces yours' } as const;

/** Rows of a list, under headings that say whose they are. `all`: also those that others replace. */
export function bySource<T extends { name: string; description: string; source: ContentSource }>(
  listed: readonly T[],
  all: readonly Named[],
  more: (content: T) => Partial<vscode.QuickPickItem>,
): SourceItem<T>[] {
  return GROUPS.flatMap(({ scope, label }) => {
    const own = listed.filter(({ source }) => source.scope === scope);
    const rows = own.map((content) => itemOf(content, takenName(content, all), more(content)));
    return rows.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator }, ...rows] : [];
  });
}

function itemOf<T extends { name: string; description: string; source: ContentSource }>(
  content: T,
  taken: ReturnType<typeof takenName>,
  { description: note, ...more }: Partial<vscode.QuickPickItem>,
): SourceItem<T> {
  const notes = [note, WORLDS[content.source.world], taken && TAKEN[taken]].filter((one) => one !== undefined);
  return {
    label: content.name,
    ...(notes.length > 0 && { description: notes.join(' · ') }),
    ...(content.description !== '' && { detail: content.description }),
    ...more,
    content,
  };
}
