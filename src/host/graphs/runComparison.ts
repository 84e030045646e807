import { sameJson } from '../../base/sameJson';
import { clipEnd } from '../../base/truncate';
import { comparedRuns, type JsonValue, type NodeView, type RunView } from '../../engine';
import type { ComparedVisitView, RunComparisonView } from '../../protocol/graphPage';

const MOST_VALUE = 1_000;
/** More rows than this would not be readable. */
const MOST_ROWS = 1_000;

/** Compares a run with another one, for the page of the first. */
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
    const [first, second] = [mine.get(key), theirs.get(key)];
    if (sameJson(first, second)) return [];
    // A number and its text would look the same without quotes.
    const isPlain = textOf(first) !== textOf(second);
    return [{ key, one: short(first, isPlain), other: short(second, isPlain) }];
  });
}

function written({ writes }: NodeView): ReadonlyMap<string, JsonValue> {
  return new Map(writes.map(({ key, value }) => [key, value] as const));
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function short(value: JsonValue | undefined, isPlain: boolean): string | null {
  if (value === undefined) return null;
  return clipEnd((isPlain ? textOf(value) : undefined) ?? JSON.stringify(value), MOST_VALUE);
}
