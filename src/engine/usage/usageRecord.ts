import * as z from '../../base/zod';
import type { Usage } from '../messages/message';

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
