import { errorText } from '../../base/errors';
import { EngineError } from '../engineError';
import type { Ports } from '../ports';
import { USAGE_FOLDER, usageFileName, type UsageRecord, usageRecordSchema } from './usageLog';

interface ReadUsage {
  /** In the order in which they were written, month by month. */
  records: UsageRecord[];
  /** Unreadable files and lines, one sentence each, with file and line number. */
  problems: string[];
}

/** Reads the usage recorded since a time, in milliseconds since the epoch. */
export async function readUsage(
  configFolder: string,
  { files, paths }: Pick<Ports, 'files' | 'paths'>,
  since: number,
): Promise<ReadUsage> {
  const folder = paths.resolve(configFolder, USAGE_FOLDER);
  const read: ReadUsage = { records: [], problems: [] };
  for (const name of await monthsFrom(since, folder, files)) {
    const file = paths.resolve(folder, name);
    try {
      readLines(new TextDecoder().decode(await files.readFile(file)), file, read);
    } catch (error) {
      read.problems.push(`${file} was left out: ${errorText(error)}`);
    }
  }
  return { records: read.records.filter(({ time }) => time >= since), problems: read.problems };
}

async function monthsFrom(since: number, folder: string, files: Ports['files']): Promise<string[]> {
  const entries = await files.readDirectory(folder).catch((error: unknown) => {
    // Nothing has been recorded yet.
    if (EngineError.is(error, 'not-found')) return [];
    throw error;
  });
  const first = usageFileName(Math.max(0, since));
  return entries
    .map(({ name }) => name)
    .filter((name) => /^\d{4}-\d\d\.jsonl$/.test(name) && name >= first)
    .sort();
}

function readLines(text: string, file: string, { records, problems }: ReadUsage): void {
  text.split('\n').forEach((line, at) => {
    if (line.trim() === '') return;
    const record = recordIn(line);
    if (record) records.push(record);
    else problems.push(`${file}:${at + 1} is not a usage record and was left out.`);
  });
}

function recordIn(line: string): UsageRecord | undefined {
  try {
    return usageRecordSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Keys by which usage can be summed. */
export const USAGE_KEYS = ['day', 'model', 'agent', 'folder'] as const;
export type UsageKey = (typeof USAGE_KEYS)[number];

/** The usage of all records with a common value. */
export interface UsageSum extends Pick<
  UsageRecord,
  'requests' | 'inputTokens' | 'cachedInputTokens' | 'outputTokens' | 'costUsd' | 'unpriced'
> {
  /** A day as "2026-11-24", a model, an agent, or a folder. */
  name: string;
}

/** Returns the value of a record for a key; days are in local time. */
export function usageValue(record: UsageRecord, key: UsageKey): string {
  return key === 'day' ? dayOf(record.time) : record[key];
}

/** Sums usage by a key: days in chronological order, everything else by descending cost, then by descending tokens. */
export function sumUsage(records: readonly UsageRecord[], key: UsageKey): UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const record of records) {
    const name = usageValue(record, key);
    const sum = sums.get(name) ?? emptySum(name);
    sums.set(name, sum);
    add(sum, record);
  }
  const all = [...sums.values()];
  if (key === 'day') return all.sort((one, other) => (one.name < other.name ? -1 : 1));
  return all.sort((one, other) => other.costUsd - one.costUsd || tokensIn(other) - tokensIn(one));
}

/** Returns the sum of all records; its name is empty. */
export function totalUsage(records: readonly UsageRecord[]): UsageSum {
  const total = emptySum('');
  for (const record of records) add(total, record);
  return total;
}

/** Formats a time as "2026-11-24", in local time. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const CSV_HEAD =
  'day,model,agent,folder,requests,input_tokens,cached_input_tokens,output_tokens,cost_usd,unpriced_requests';

/** Returns CSV with a header, and a row for each combination of day, model, agent, and folder. */
export function usageCsv(records: readonly UsageRecord[]): string {
  const rows = new Map<string, { keys: readonly string[]; sum: UsageSum }>();
  for (const record of records) {
    const keys = USAGE_KEYS.map((key) => usageValue(record, key));
    const id = JSON.stringify(keys);
    const row = rows.get(id) ?? { keys, sum: emptySum('') };
    rows.set(id, row);
    add(row.sum, record);
  }
  const lines = [...rows.values()].map(({ keys, sum }) => [
    ...keys.map(csvText),
    ...[sum.requests, sum.inputTokens, sum.cachedInputTokens, sum.outputTokens],
    ...[Number(sum.costUsd.toFixed(6)), sum.unpriced],
  ]);
  return `${[CSV_HEAD, ...lines.map((line) => line.join(','))].join('\r\n')}\r\n`;
}

/** Spreadsheets interpret text with these first characters as a formula. */
function csvText(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

function tokensIn({ inputTokens, outputTokens }: UsageSum): number {
  return inputTokens + outputTokens;
}

function emptySum(name: string): UsageSum {
  return { name, requests: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0, unpriced: 0 };
}

function add(sum: UsageSum, record: UsageRecord): void {
  sum.requests += record.requests;
  sum.inputTokens += record.inputTokens;
  sum.cachedInputTokens += record.cachedInputTokens;
  sum.outputTokens += record.outputTokens;
  sum.costUsd += record.costUsd;
  sum.unpriced += record.unpriced;
}
