import { lowerLimits } from '../run/lowerLimits';
import type { RunLimits } from '../run/stopConditions';

/** What a run has used up of its limits, itself and with the agents that it started. */
export interface Spent {
  elapsedMs: number;
  tokens: number;
  costUsd: number;
}

/**
 * What an agent may use up that a run starts: its own limits, and no more than half of what that run has left of tokens and
 * cost, so that several agents and the run itself can end well. Time is not shared, since they work at the same time.
 */
export function limitsOfChild(own: RunLimits, parent: RunLimits, spent: Spent): RunLimits {
  const half = (limit: number | undefined, used: number) => limit !== undefined && Math.max(0, limit - used) / 2;
  const tokens = half(parent.tokens, spent.tokens);
  const costUsd = half(parent.costUsd, spent.costUsd);
  const share: RunLimits = {
    ...(tokens !== false && { tokens: Math.floor(tokens) }),
    ...(costUsd !== false && { costUsd }),
    ...(parent.timeMs !== undefined && { timeMs: Math.max(1, parent.timeMs - spent.elapsedMs) }),
  };
  return lowerLimits(own, share);
}

/** The values of a run that an agent which it starts wants too, by their names. */
export function inheritedVariables(
  wanted: readonly { name: string }[],
  values: ReadonlyMap<string, string>,
): Record<string, string> {
  return Object.fromEntries(
    wanted.flatMap(({ name }) => {
      const value = values.get(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
