import { safeLine } from '../../base/shown/safeText';
import { ITEM_KINDS, type ImportItem, type ItemKind } from './importItem';
import type { ReportRow } from './writeItems';

const PLURALS: Record<ItemKind, readonly [one: string, many: string]> = {
  settings: ['file of settings', 'files of settings'],
  agent: ['agent', 'agents'],
  role: ['role', 'roles'],
  skill: ['skill', 'skills'],
  macro: ['macro', 'macros'],
  command: ['command', 'commands'],
  tool: ['tool script', 'tool scripts'],
  server: ['MCP server', 'MCP servers'],
  rule: ['permission rule', 'permission rules'],
  secret: ['secret', 'secrets'],
  session: ['session', 'sessions'],
};

/** Returns the noun for a number of items. */
export function plural(kind: ItemKind, count: number): string {
  return PLURALS[kind][count === 1 ? 0 : 1];
}

/** Returns, for example, "2 agents, 1 role". */
export function countText(items: readonly Pick<ImportItem, 'kind'>[]): string {
  const counts = ITEM_KINDS.flatMap((kind) => {
    const count = items.filter((item) => item.kind === kind).length;
    return count === 0 ? [] : [`${count} ${plural(kind, count)}`];
  });
  return counts.length === 0 ? 'nothing to import' : counts.join(', ');
}

/** Describes an outcome; in a dry run, what it would be. */
function outcomeText({ outcome, to = '' }: ReportRow, dryRun: boolean): string {
  switch (outcome) {
    case 'copied':
      return `${dryRun ? 'would be copied' : 'copied'} to ${to}`;
    case 'already':
      return `already imported to ${to}`;
    case 'skipped':
      return 'skipped';
    case 'failed':
      return 'not copied';
  }
}

export interface SourceReport {
  tool: string;
  folder: string;
  rows: readonly ReportRow[];
  /** What could not be read. */
  problems: readonly string[];
}

/** Formats one line per item, with its notes below. */
export function reportText({ tool, folder, rows, problems }: SourceReport, dryRun: boolean): string {
  const lines = rows.flatMap((row) => [
    `  ${PLURALS[row.kind][0]} ${shown(row.name)}: ${shown(outcomeText(row, dryRun))}`,
    ...row.notes.map((note) => `      ${shown(note)}`),
  ]);
  const unread = problems.map((problem) => `  not read: ${shown(problem)}`);
  return [`${tool} in ${shown(folder)}: ${summaryText(rows, problems, dryRun)}`, ...lines, ...unread, ''].join('\n');
}

/** Formats the same report as Markdown. */
export function reportMarkdown({ tool, folder, rows, problems }: SourceReport): string {
  const lines = rows.flatMap((row) => [
    `- **${escaped(`${PLURALS[row.kind][0]} ${row.name}`)}**: ${escaped(outcomeText(row, false))}`,
    ...row.notes.map((note) => `  - ${escaped(note)}`),
  ]);
  const unread = problems.map((problem) => `- ${escaped(problem)}`);
  return [
    `## ${tool}`,
    '',
    `${escaped(folder)}: ${summaryText(rows, problems, false)}`,
    '',
    ...lines,
    ...(unread.length > 0 ? ['', '### Not read', '', ...unread] : []),
    '',
  ].join('\n');
}

export function summaryText(rows: readonly ReportRow[], problems: readonly string[], dryRun: boolean): string {
  const count = (outcome: ReportRow['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  const parts = [
    `${count('copied')} ${dryRun ? 'to copy' : 'copied'}`,
    `${count('already')} already imported`,
    `${count('skipped')} skipped`,
    `${count('failed') + problems.length} with problems`,
  ];
  return parts.join(', ');
}

function shown(text: string): string {
  return safeLine(text, 1000, 'exact');
}

/** Escapes text from others so that it has no effect on rendering. */
function escaped(text: string): string {
  return shown(text).replaceAll(/[\\`*_{}[\]<>()#!|~]/g, '\\$&');
}
