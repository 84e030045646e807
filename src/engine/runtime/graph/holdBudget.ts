import { budgetLimits } from '../../graphs/budgetLimits';
import type { GraphRecord } from '../../graphs/record/graphRecords';
import { runViewOf } from '../../graphs/record/runView';
import { NOTHING, sum } from '../../graphs/record/used';
import type { GraphOfRun } from './graphOfRun';

/**
 * Holds a run to the budget that its graph has now, of which what its record says was used up before. Gives what to say of
 * that once it is used up, and undefined before.
 */
export function holdBudget(
  { team: { spending }, file: { graph, path } }: Pick<GraphOfRun, 'team' | 'file'>,
  stopped: GraphRecord | undefined,
): () => string | undefined {
  const { budget } = graph.settings;
  if (!budget) return () => undefined;
  const before = stopped ? runViewOf(stopped) : NOTHING;
  spending.stayWithin(budgetLimits(budget), before);
  return () => {
    const { tokens, costUsd } = sum(before, spending.total);
    const isOut = (used: number, most: number | undefined): most is number => most !== undefined && used >= most;
    const said = [
      ...(isOut(tokens, budget.tokens) ? [`${tokens} of ${budget.tokens} tokens`] : []),
      ...(isOut(costUsd, budget.cost) ? [`$${Number(costUsd.toFixed(4))} of $${budget.cost}`] : []),
    ];
    if (said.length === 0) return undefined;
    const whole = before.tokens > 0 ? ', together with what was used before it was stopped' : '';
    return `The budget of the graph “${graph.name}” is used up: ${said.join(' and ')}${whole}. Raise settings.budget in ${path}, then continue.`;
  };
}
