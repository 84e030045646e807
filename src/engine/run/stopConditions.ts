import * as z from '../../base/zod';
import { fields } from '../checkPlugin';
import type { RunOutcome } from '../events/runOutcome';

/**
 * Requests to the model that a run may make where neither who starts it, nor its agent, nor a setting says how many: a model
 * that goes round in circles is not paid for ever.
 */
export const DEFAULT_TURNS = 100;

/** What a run may use up; absent means without limit, and of turns the default. */
export interface RunLimits {
  /** Requests to the model. */
  turns?: number;
  /** Held by a timer (`TimeLimit`), so that setting the clock of the machine changes nothing. */
  timeMs?: number;
  /** Input and output together, as the vendor counts them. */
  tokens?: number;
  /** What models cost whose prices are not known does not count; the run says so. */
  costUsd?: number;
}

export type LimitReached = Extract<RunOutcome, { kind: 'limit-reached' }>;

export interface RunProgress {
  turns: number;
  tokens: number;
  costUsd: number;
}

/** The outcome when a limit is reached, before another request would go beyond it. What of the progress is absent is not looked at. */
export function reachedLimit(limits: RunLimits, progress: Partial<RunProgress>): LimitReached | undefined {
  const reached = (used: number | undefined, limit: number | undefined) =>
    used !== undefined && limit !== undefined && used >= limit;
  if (reached(progress.turns, limits.turns)) return { kind: 'limit-reached', limit: 'turns' };
  if (reached(progress.tokens, limits.tokens)) return { kind: 'limit-reached', limit: 'tokens' };
  if (reached(progress.costUsd, limits.costUsd)) return { kind: 'limit-reached', limit: 'cost' };
  return undefined;
}

/** Of each limit the lower one, where both say something. */
export function lowerLimits(one: RunLimits, other: RunLimits): RunLimits {
  const limits = { ...one, ...other };
  for (const name of ['turns', 'timeMs', 'tokens', 'costUsd'] as const) {
    const [a, b] = [one[name], other[name]];
    if (a !== undefined && b !== undefined) limits[name] = Math.min(a, b);
  }
  return limits;
}

/** One that is no number would limit nothing. */
const limit = z.custom<number>((value) => typeof value === 'number' && value >= 0, 'expected a number of 0 or more');
const [given, said] = [z.exactOptional(limit), z.optional(limit)];

/** `RunLimits` of a request. One that is there and undefined would take the agent's away. */
export const limitsSchema = fields({ turns: given, timeMs: given, tokens: given, costUsd: given });

/** The same of an agent, where it counts as one that is not said. */
export const agentLimitsSchema = fields({ turns: said, timeMs: said, tokens: said, costUsd: said });
