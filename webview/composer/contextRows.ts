import { t } from '../../src/base/l10n';
import { contextCategories, type ContextCategory, readContextQuery } from '../../src/protocol/contextCategories';
import type { ContextHit } from '../../src/protocol/hostApi';
import type { ContextItem } from '../../src/protocol/messageItem';
import { itemIcon } from '../ui/SentItems';
import type { Suggestion } from './CompletionList';

export interface ContextActions {
  add: (hit: ContextHit) => void;
  /** Continues within one category. */
  narrow: (category: ContextCategory) => void;
  pickPicture: () => void;
}

const GROUPS: Record<ContextItem['kind'], () => string> = {
  selection: () => t('Files'),
  file: () => t('Files'),
  folder: () => t('Folders'),
  symbol: () => t('Symbols'),
  problems: () => t('Workspace'),
  changes: () => t('Workspace'),
  terminal: () => t('Terminal'),
  page: () => t('Pages'),
  resource: () => t('Resources'),
  agent: () => t('Agents'),
};

/** Returns what the user is looking at and the categories before anything is typed; after that, all matches by kind. */
export function contextSuggestions(query: string, hits: readonly ContextHit[], actions: ContextActions): Suggestion[] {
  const { only } = readContextQuery(query);
  const isEmpty = query === '';
  const suggested = t('Suggested');
  const found = hits.map((hit) => {
    const { item, detail, near } = hit;
    const isOpen = isEmpty && item.kind === 'file';
    const group = isEmpty && near ? suggested : isOpen ? t('Open files') : GROUPS[item.kind]();
    const place = `${item.target} ${item.label} ${item.lines?.first ?? ''}`;
    const key = `${item.kind} ${item.server ?? ''} ${place}`;
    return { key, group, icon: itemIcon(item.kind), label: item.label, detail, take: () => actions.add(hit) };
  });
  const more = only ? [] : categoryRows(query, hits, actions);
  if (!isEmpty) return [...byGroup(found), ...more];
  const isNear = ({ group }: Suggestion) => group === suggested;
  return [...found.filter(isNear), ...more, ...byGroup(found.filter((one) => !isNear(one)))];
}

/** Returns the categories whose name starts with the query. */
function categoryRows(query: string, hits: readonly ContextHit[], actions: ContextActions): Suggestion[] {
  const rows = contextCategories()
    .map(({ name, label, icon, detail }) => {
      return { key: `category ${name}`, name, label: `${label}…`, icon, detail, take: () => actions.narrow(name) };
    })
    // Most users have no server with resources, and possibly no command in a terminal.
    .filter(
      ({ name }) =>
        (name !== 'resource' && name !== 'terminal') || query !== '' || hits.some(({ item }) => item.kind === name),
    );
  const picture = { key: 'picture', label: t('Image…'), icon: itemIcon('image'), detail: t('From a file') };
  return [...rows, { ...picture, take: actions.pickPicture }]
    .filter(({ label, key }) => [label.toLowerCase(), key].some((one) => one.startsWith(query.toLowerCase())))
    .map(({ key, label, icon, detail, take }) => ({ key, label, icon, detail, take, group: t('Categories') }));
}

/** Groups rows in the order of each group's first row, so that the best match stays on top. */
function byGroup(rows: readonly Suggestion[]): Suggestion[] {
  const groups = [...new Set(rows.map(({ group }) => group))];
  return groups.flatMap((group) => rows.filter((one) => one.group === group));
}
