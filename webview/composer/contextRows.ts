import { CONTEXT_CATEGORIES, type ContextCategory, readContextQuery } from '../../src/protocol/contextCategories';
import type { ContextHit } from '../../src/protocol/hostApi';
import type { ContextItem } from '../../src/protocol/messageItem';
import { itemIcon } from '../ui/SentItems';
import type { Suggestion } from './CompletionList';

export interface ContextActions {
  add: (hit: ContextHit) => void;
  /** Goes on with what is in one category. */
  narrow: (category: ContextCategory) => void;
  pickPicture: () => void;
}

const GROUPS: Record<ContextItem['kind'], string> = {
  selection: 'Files',
  file: 'Files',
  folder: 'Folders',
  symbol: 'Symbols',
  problems: 'Workspace',
  changes: 'Workspace',
  terminal: 'Terminal',
  page: 'Pages',
  resource: 'Resources',
  agent: 'Agents',
};

/** Before anything is typed what the person looks at, then the categories; after that all that fits, by kind. */
export function contextSuggestions(query: string, hits: readonly ContextHit[], actions: ContextActions): Suggestion[] {
  const { only } = readContextQuery(query);
  const isEmpty = query === '';
  const found = hits.map((hit) => {
    const { item, detail, near } = hit;
    const group = isEmpty && near ? 'Suggested' : isEmpty && item.kind === 'file' ? 'Open files' : GROUPS[item.kind];
    const place = `${item.target} ${item.label} ${item.lines?.first ?? ''}`;
    const key = `${item.kind} ${item.server ?? ''} ${place}`;
    return { key, group, icon: itemIcon(item.kind), label: item.label, detail, take: () => actions.add(hit) };
  });
  const more = only ? [] : categoryRows(query, hits, actions);
  if (!isEmpty) return [...byGroup(found), ...more];
  const isNear = ({ group }: Suggestion) => group === 'Suggested';
  return [...found.filter(isNear), ...more, ...byGroup(found.filter((one) => !isNear(one)))];
}

/** Those whose name begins as it was typed. */
function categoryRows(query: string, hits: readonly ContextHit[], actions: ContextActions): Suggestion[] {
  const rows = CONTEXT_CATEGORIES.map(({ name, label, icon, detail }) => {
    return { key: `category ${name}`, name, label: `${label}…`, icon, detail, take: () => actions.narrow(name) };
  })
    // Most people have no server that has any, and nothing may have run in a terminal.
    .filter(
      ({ name }) =>
        (name !== 'resource' && name !== 'terminal') || query !== '' || hits.some(({ item }) => item.kind === name),
    );
  const picture = { key: 'picture', label: 'Image…', icon: itemIcon('image'), detail: 'From a file' };
  return [...rows, { ...picture, take: actions.pickPicture }]
    .filter(({ label, key }) => [label.toLowerCase(), key].some((one) => one.startsWith(query.toLowerCase())))
    .map(({ key, label, icon, detail, take }) => ({ key, label, icon, detail, take, group: 'Categories' }));
}

/** The groups in the order of their first rows, so that the best match stays first. */
function byGroup(rows: readonly Suggestion[]): Suggestion[] {
  const groups = [...new Set(rows.map(({ group }) => group))];
  return groups.flatMap((group) => rows.filter((one) => one.group === group));
}
