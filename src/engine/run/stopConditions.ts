import * as z from '../../base/zod';
import { fields } from '../checkPlugin';
import type { RunOutcome } from '../events/runOutcome';

/**
 * The maximum number of requests to the model in a run, unless its caller, its agent, or a setting specifies one. Keeps a model
 * that goes in circles from costing money forever.
 */
export const DEFAULT_TURNS = 100;

/** A run's limits. Absent means unlimited, except for `turns`, which has a default. */
export interface RunLimits {
  /** Requests to the model. */
  turns?: number;
  /** Enforced by a timer (`TimeLimit`), so that changing the system clock has no effect. */
  timeMs?: number;
  /** Input and output together, as the vendor counts them. */
  tokens?: number;
  /** Models with unknown prices do not count; the run says so. */
  costUsd?: number;
}

export type LimitReached = Extract<RunOutcome, { kind: 'limit-reached' }>;

interface RunProgress {
  turns: number;
  tokens: number;
  costUsd: number;
}

/** Returns the outcome for a limit that has been reached, so that no further request exceeds it. Absent progress values are not checked. */
export function reachedLimit(limits: RunLimits, progress: Partial<RunProgress>): LimitReached | undefined {
  const reached = (used: number | undefined, limit: number | undefined) =>
    used !== undefined && limit !== undefined && used >= limit;
  if (reached(progress.turns, limits.turns)) return { kind: 'limit-reached', limit: 'turns' };
  if (reached(progress.tokens, limits.tokens)) return { kind: 'limit-reached', limit: 'tokens' };
  if (reached(progress.costUsd, limits.costUsd)) return { kind: 'limit-reached', limit: 'cost' };
  return undefined;
}

/** Returns the lower value of each limit that both specify. */
export function lowerLimits(one: RunLimits, other: RunLimits): RunLimits {
  const limits = { ...one, ...other };
  for (const name of ['turns', 'timeMs', 'tokens', 'costUsd'] as const) {
    const [a, b] = [one[name], other[name]];
    if (a !== undefined && b !== undefined) limits[name] = Math.min(a, b);
  }
  return limits;
}

/** NaN would limit nothing. */
const limit = z.custom<number>((value) => typeof value === 'number' && value >= 0, 'expected a number of 0 or more');
const [given, said] = [z.exactOptional(limit), z.optional(limit)];

/** The `RunLimits` of a request. A key with the value undefined is rejected, because it would remove the agent's limit. */
export const limitsSchema = fields({ turns: given, timeMs: given, tokens: given, costUsd: given });

/** The same for an agent, where undefined counts as absent. */
export const agentLimitsSchema = fields({ turns: said, timeMs: said, tokens: said, costUsd: said });
