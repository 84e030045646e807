import type { AgentEvent } from '../events/agentEvent';
import { DEMO_PROVIDER } from '../llm/provider';
import { addUsage, emptyRecord, type UsageLog, type UsageRecord } from './usageLog';

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
