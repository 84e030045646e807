import { errorText } from '../../base/errorText';
import * as z from '../../base/zod';
import type { Usage } from '../messages/message';
import type { Ports } from '../ports';

/** What an agent used of one model in one stretch of a run: a line of the record. Made when one is read. */
export const usageRecordSchema = z.lazy(() =>
  z.object({
    /** Milliseconds since the epoch. */
    time: z.number(),
    /** Absolute path of the session's workspace. */
    folder: z.string(),
    agent: z.string(),
    /** `provider:model`. */
    model: z.string(),
    requests: z.int(),
    /** Those from the cache included. */
    inputTokens: z.number(),
    cachedInputTokens: z.number(),
    outputTokens: z.number(),
    /** As far as prices are known. */
    costUsd: z.number(),
    /** Requests among them whose price is not known. */
    unpriced: z.int(),
  }),
);
export type UsageRecord = z.infer<typeof usageRecordSchema>;

/** The file of the month in which it was, in UTC: "2026-11.jsonl". */
export function usageFileName(time: number): string {
  return `${new Date(time).toISOString().slice(0, 7)}.jsonl`;
}

/** Where the files of all months are, below the folder of the configuration. */
export const USAGE_FOLDER = 'usage';

/** Of nothing yet. */
export function emptyRecord(whose: Pick<UsageRecord, 'time' | 'folder' | 'agent' | 'model'>): UsageRecord {
  return { ...whose, requests: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0, unpriced: 0 };
}

/** Adds a request to a record; `costUsd` is null when its price is not known. */
export function addUsage(record: UsageRecord, usage: Usage, costUsd: number | null): void {
  record.requests++;
  record.inputTokens += usage.inputTokens;
  record.cachedInputTokens += usage.cachedInputTokens ?? 0;
  record.outputTokens += usage.outputTokens;
  record.costUsd += costUsd ?? 0;
  if (costUsd === null) record.unpriced++;
}

/** Keeps what requests used as JSON lines, a file a month, which are only ever added to. It is sent nowhere. */
export class UsageLog {
  private readonly folder: string;
  private warned = false;

  constructor(
    configFolder: string,
    private readonly ports: Pick<Ports, 'files' | 'paths' | 'log'>,
  ) {
    this.folder = ports.paths.resolve(configFolder, USAGE_FOLDER);
  }

  /** Resolves when all is written. What cannot be written is told in the log once, and stops nothing. */
  async keep(records: readonly UsageRecord[]): Promise<void> {
    const { files, paths, log } = this.ports;
    try {
      for (const record of records) {
        await files.appendLine(paths.resolve(this.folder, usageFileName(record.time)), JSON.stringify(record));
      }
      this.warned = false;
    } catch (error) {
      if (!this.warned) log.warn(`Usage could not be recorded: ${errorText(error)}`);
      this.warned = true;
    }
  }
}
