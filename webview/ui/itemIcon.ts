import type { SentItem } from '../../src/protocol/chatState';

const ICONS: Record<SentItem['kind'], string> = {
  file: 'file',
  folder: 'folder',
  symbol: 'symbol-method',
  selection: 'list-selection',
  problems: 'warning',
  changes: 'git-commit',
  page: 'globe',
  input: 'file',
  image: 'file-media',
};

export function itemIcon(kind: SentItem['kind']): string {
  return ICONS[kind];
}
