import { t } from '../../base/l10n';
import { clipEnd } from '../../base/truncate';
import { comparedRuns, type KnownRun, type NodeView, type RunView } from '../../engine';
import type { ComparedVisitView, RunComparisonView } from '../../protocol/graphPage';
import type { Host } from '../host';
import { notify } from '../shown/notify';
import { graphRunsOf } from './graphRuns';
import { pickRun } from './pickRun';

const MOST_VALUE = 1_000;
/** More rows than this would not be readable. */
const MOST_ROWS = 1_000;

/** Asks which other run of the same agent to compare with. */
export async function pickOther(host: Host, { sessionId, view }: KnownRun): Promise<KnownRun | undefined> {
  const { runs, problems } = await graphRunsOf(host).list();
  for (const problem of problems) host.log.warn(problem);
  const isThis = (one: KnownRun) => one.sessionId === sessionId && one.view.id === view.id;
  const others = runs.filter((one) => one.view.agent === view.agent && !isThis(one));
  if (others.length > 0) return pickRun(others, t('Compare Runs of {0}', view.agent));
  void notify('info', t('There is no other run of {0} to compare with. Run it again first.', view.agent));
  return undefined;
}

export function comparisonOf(view: RunView, other: RunView): RunComparisonView {
  const { state, prompt, beganAt } = other;
  const rows = comparedRuns(view, other);
  return {
    with: { state: state === 'open' ? 'running' : state, prompt: clipEnd(prompt, MOST_VALUE), beganAt },
    rows: rows.slice(0, MOST_ROWS).map(({ node, one, other: second, differs }) => ({
      node,
      differs,
      one: visitOf(one),
      other: visitOf(second),
      changes: one && second ? changesOf(one, second) : [],
    })),
  };
}

function visitOf(node: NodeView | undefined): ComparedVisitView | null {
  if (!node) return null;
  const { state, durationMs, tokens, costUsd, targets } = node;
  return { state: state === 'begun' ? 'stopped' : state, durationMs, tokens, costUsd, targets };
}

/** The keys that the two visits wrote with different values. */
function changesOf(one: NodeView, other: NodeView): RunComparisonView['rows'][number]['changes'] {
  const [mine, theirs] = [written(one), written(other)];
  const keys = [...new Set([...mine.keys(), ...theirs.keys()])];
  return keys.flatMap((key) => {
    const [first, second] = [mine.get(key) ?? null, theirs.get(key) ?? null];
    return first === second ? [] : [{ key, one: short(first), other: short(second) }];
  });
}

function written({ writes }: NodeView): ReadonlyMap<string, string> {
  return new Map(
    writes.map(({ key, value }) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const),
  );
}

function short(text: string | null): string | null {
  return text === null ? null : clipEnd(text, MOST_VALUE);
}
