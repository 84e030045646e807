import { safeText } from '../base/shown/safeText';
import { readUsage, sumUsage, totalUsage, USAGE_KEYS, type UsageKey, usageCsv, type UsageSum } from '../engine';
import { nodePorts } from '../node/nodePorts';
import { EXIT } from './exitStatus';
import type { OutputStreams } from './output';

interface UsageWanted {
  /** Absolute path of the configuration folder. */
  configFolder: string;
  env: NodeJS.ProcessEnv;
  /** Milliseconds since the epoch. Defaults to the last 30 days, including today. */
  since: number | undefined;
  format: 'text' | 'json' | 'csv';
}

const DAYS = 30;

const HEADS: Readonly<Record<UsageKey, string>> = { day: 'Day', model: 'Model', agent: 'Agent', folder: 'Folder' };

/** Prints the usage of requests on this machine and returns the exit status. */
export async function usageReport(wanted: UsageWanted, { out, err }: OutputStreams): Promise<number> {
  const { configFolder, env, format } = wanted;
  const ports = nodePorts({ env, ripgrepCandidates: [], watches: false, log: SILENT });
  const since = wanted.since ?? daysAgo(DAYS - 1);
  const { records, problems } = await readUsage(configFolder, ports, since);
  for (const problem of problems) err(`cairn: ${problem}\n`);
  if (format === 'csv') out(usageCsv(records));
  else if (format === 'json') out(`${JSON.stringify(records, undefined, 2)}\n`);
  else if (records.length === 0) out('No usage recorded in this period.\n');
  else {
    const tables = USAGE_KEYS.map((key) => table(HEADS[key], sumUsage(records, key)));
    out([...tables, table('Total', [{ ...totalUsage(records), name: 'all' }])].join('\n'));
  }
  return EXIT.completed;
}

/** Returns the start of a day in local time. */
function daysAgo(days: number): number {
  const date = new Date();
  date.setHours(0, 0, 0, 0);
  return date.setDate(date.getDate() - days);
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Formats rows as aligned columns. */
function table(head: string, sums: readonly UsageSum[]): string {
  const rows = [
    [head, 'Requests', 'Input', 'From cache', 'Output', 'Cost'],
    ...sums.map((sum) => [
      safeText(sum.name, 'exact').replace(/\s+/g, ' '),
      ...[sum.requests, sum.inputTokens, sum.cachedInputTokens, sum.outputTokens].map((one) =>
        one.toLocaleString('en-US'),
      ),
      costText(sum),
    ]),
  ];
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  const cell = (text: string, at: number) => (at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0));
  return rows.map((row) => `${row.map(cell).join('  ').trimEnd()}\n`).join('');
}

/** Appends `+` if some prices are unknown. */
function costText({ costUsd, unpriced, requests }: UsageSum): string {
  if (unpriced === requests) return '-';
  return `$${costUsd.toFixed(4)}${unpriced > 0 ? '+' : ''}`;
}
