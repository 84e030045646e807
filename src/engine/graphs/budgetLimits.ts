import type { RunLimits } from '../run/stopConditions';
import type { GraphBudget } from './graph';

/** A budget as the limits of a run. */
export function budgetLimits({ tokens, cost }: GraphBudget): Pick<RunLimits, 'tokens' | 'costUsd'> {
  return { ...(tokens !== undefined && { tokens }), ...(cost !== undefined && { costUsd: cost }) };
}
