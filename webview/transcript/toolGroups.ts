import { t } from '../../src/base/l10n';
import type { ChatEntry, PendingApproval, PendingQuestion, ToolEntry } from '../../src/protocol/chatState';

/** Consecutive finished read-only tools, shown as one line. */
export interface ToolGroup {
  /** Id of the first entry, which shows the line. */
  id: string;
  /** For example "Read 4 files, searched twice". */
  summary: string;
  ids: readonly string[];
}

/** Smaller groups are clearer ungrouped. */
const SMALLEST = 3;

/** Returns the group of each grouped entry, by entry id. */
export function toolGroups(entries: readonly ChatEntry[]): Map<string, ToolGroup> {
  const groups = new Map<string, ToolGroup>();
  let row: ToolEntry[] = [];
  const endRow = () => {
    const [first] = row;
    if (first && row.length >= SMALLEST) {
      const group = { id: first.id, summary: groupSummary(row), ids: row.map(({ id }) => id) };
      for (const id of group.ids) groups.set(id, group);
    }
    row = [];
  };
  for (const entry of entries) {
    if (isQuiet(entry)) row.push(entry);
    else if (!isShownElsewhere(entry)) endRow();
  }
  endRow();
  return groups;
}

function isQuiet(entry: ChatEntry): entry is ToolEntry {
  if (entry.kind !== 'tool') return false;
  if (isRepeated(entry)) return true;
  if (entry.status !== 'ok' || isShownElsewhere(entry)) return false;
  return entry.category === 'read' || entry.category === 'network';
}

/** Whether a model stuck in a loop repeated this call, which was therefore not run. */
const isRepeated = ({ detail }: ToolEntry): boolean => detail?.kind === 'text' && detail.repeated === true;

function groupSummary(tools: readonly ToolEntry[]): string {
  const words = countKinds(tools).join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function countKinds(all: readonly ToolEntry[]): string[] {
  const tools = all.filter((one) => !isRepeated(one));
  const skipped = all.length - tools.length;
  const files = tools.filter((one) => kindOf(one) === 'file').length;
  const searches = tools.filter((one) => kindOf(one) === 'search').length;
  const lists = tools.filter((one) => kindOf(one) === 'list').length;
  const fetches = tools.filter((one) => kindOf(one) === 'page').length;
  const other = tools.length - files - searches - lists - fetches;
  return [
    ...(files > 0 ? [files === 1 ? t('read 1 file') : t('read {0} files', files)] : []),
    ...(searches > 0 ? [searchWords(searches)] : []),
    ...(lists > 0 ? [lists === 1 ? t('listed 1 folder') : t('listed {0} folders', lists)] : []),
    ...(fetches > 0 ? [fetches === 1 ? t('fetched 1 page') : t('fetched {0} pages', fetches)] : []),
    ...(other > 0 ? [other === 1 ? t('looked at 1 other thing') : t('looked at {0} other things', other)] : []),
    ...(skipped > 0 ? [skipped === 1 ? t('skipped 1 repeated call') : t('skipped {0} repeated calls', skipped)] : []),
  ];
}

/** Third-party tools that do not specify a kind are classified by name. */
function kindOf({ tool, category, counted }: ToolEntry): NonNullable<ToolEntry['counted']> {
  if (counted) return counted;
  if (/search|grep|find|glob/.test(tool)) return 'search';
  if (/(?:^|_)(?:list|ls)(?:_|$)/.test(tool)) return 'list';
  if (category === 'network') return 'page';
  return /read|cat|open|view/.test(tool) ? 'file' : 'other';
}

function searchWords(count: number): string {
  if (count === 1) return t('searched once');
  return count === 2 ? t('searched twice') : t('searched {0} times', count);
}

/**
 * Whether an entry needs no line of its own: successful calls about to-dos and other agents appear in the strip above the
 * composer and on the agents' cards.
 */
export function isShownElsewhere(entry: ChatEntry): boolean {
  if (entry.kind !== 'tool' || !entry.quiet) return false;
  return entry.status === 'ok' || entry.status === 'running' || entry.status === 'preparing';
}

/** Everything the appearance of an entry depends on. */
export interface EntryProps {
  entry: ChatEntry;
  approval: PendingApproval | null;
  question: PendingQuestion | null;
  /** The group whose line this entry shows, as its first. */
  leads: ToolGroup | null;
  /** True if the entry belongs to a group. */
  grouped: boolean;
  /** True if its turn is over. */
  settled: boolean;
  /** True for the agent's first text of a turn. */
  beginsTurn: boolean;
}
