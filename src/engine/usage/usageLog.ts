import { errorText } from '../../base/errors';
import * as z from '../../base/zod';
import type { AgentEvent } from '../events/agentEvent';
import { DEMO_PROVIDER } from '../llm/provider';
import type { Usage } from '../messages/message';
import type { Ports } from '../ports';

/** Usage of one model by an agent in one part of a run: a line of the log. Built on first use. */
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
    /** Includes cached tokens. */
    inputTokens: z.number(),
    cachedInputTokens: z.number(),
    outputTokens: z.number(),
    /** As far as prices are known. */
    costUsd: z.number(),
    /** Number of requests with an unknown price. */
    unpriced: z.int(),
  }),
);
export type UsageRecord = z.infer<typeof usageRecordSchema>;

/** Returns the file name for the month of a time, in UTC: "2026-11.jsonl". */
export function usageFileName(time: number): string {
  return `${new Date(time).toISOString().slice(0, 7)}.jsonl`;
}

/** Folder of the monthly files, within the configuration folder. */
export const USAGE_FOLDER = 'usage';

/** Returns a record without usage. */
export function emptyRecord(whose: Pick<UsageRecord, 'time' | 'folder' | 'agent' | 'model'>): UsageRecord {
  return { ...whose, requests: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0, unpriced: 0 };
}

/** Adds a request to a record; `costUsd` is null if its price is unknown. */
export function addUsage(record: UsageRecord, usage: Usage, costUsd: number | null): void {
  record.requests++;
  record.inputTokens += usage.inputTokens;
  record.cachedInputTokens += usage.cachedInputTokens ?? 0;
  record.outputTokens += usage.outputTokens;
  record.costUsd += costUsd ?? 0;
  if (costUsd === null) record.unpriced++;
}

/** Records usage as JSON lines in append-only monthly files. Nothing is sent anywhere. */
export class UsageLog {
  private readonly folder: string;
  private warned = false;

  constructor(
    configFolder: string,
    private readonly ports: Pick<Ports, 'files' | 'paths' | 'log'>,
  ) {
    this.folder = ports.paths.resolve(configFolder, USAGE_FOLDER);
  }

  /** Resolves once everything is written. A failure is logged once and never rejects. */
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

/** How often a long run records its usage; at most this much is lost if the process is killed. */
const KEPT_EVERY_MS = 60_000;

/** Sums the usage of one agent in one run by model, for the usage log. Excludes agents that it starts. */
export class RunUsage {
  private folder = '';
  /** Total cost, as far as prices are known. */
  costUsd = 0;
  private sums = new Map<string, UsageRecord>();
  private writing = Promise.resolve();

  constructor(
    private readonly log: UsageLog,
    private readonly runId: string,
  ) {}

  /** Sets the workspace. Must be called before anything is recorded. */
  worksIn(folder: string): void {
    this.folder = folder;
  }

  take(event: AgentEvent): void {
    if (event.type !== 'usage-reported' || event.runId !== this.runId) return;
    const { time, agentPath, model, usage, costUsd } = event;
    // The demo provider of the tour is not a real model.
    if (model.startsWith(`${DEMO_PROVIDER}:`)) return;
    const sum = this.sums.get(model) ?? emptyRecord({ time, folder: '', agent: agentPath.at(-1) ?? '', model });
    this.sums.set(model, sum);
    addUsage(sum, usage, costUsd);
    this.costUsd += costUsd ?? 0;
    if (time - sum.time >= KEPT_EVERY_MS) void this.keep();
  }

  /** Resolves once everything so far is on disk. Never rejects. */
  keep(): Promise<void> {
    const records = [...this.sums.values()].map((sum) => ({ ...sum, folder: this.folder }));
    this.sums = new Map();
    return (this.writing = this.writing.then(() => this.log.keep(records)));
  }
}
