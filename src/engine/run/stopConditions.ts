import type { RunOutcome } from '../events/runOutcome';

/** What a run may use up; absent means without limit. */
export interface RunLimits {
  /** Requests to the model. */
  turns?: number;
  timeMs?: number;
  /** Input and output together, as the vendor counts them. */
  tokens?: number;
  /** What models cost whose prices are not known does not count; the run says so. */
  costUsd?: number;
}

export interface RunProgress {
  turns: number;
  elapsedMs: number;
  tokens: number;
  costUsd: number;
}

/** The outcome when a limit is reached, before another request would go beyond it. */
export function reachedLimit(limits: RunLimits, progress: RunProgress): RunOutcome | undefined {
  if (limits.turns !== undefined && progress.turns >= limits.turns) return { kind: 'limit-reached', limit: 'turns' };
  if (limits.timeMs !== undefined && progress.elapsedMs >= limits.timeMs)
    return { kind: 'limit-reached', limit: 'time' };
  if (limits.tokens !== undefined && progress.tokens >= limits.tokens)
    return { kind: 'limit-reached', limit: 'tokens' };
  if (limits.costUsd !== undefined && progress.costUsd >= limits.costUsd)
    return { kind: 'limit-reached', limit: 'cost' };
  return undefined;
}
