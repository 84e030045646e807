import { errorText } from '../../../base/errorText';
import type { JsonValue, MapNode } from '../graph';
import { GraphFailure } from '../schedule/graphFailure';
import { Limiter } from '../schedule/limiter';
import type { NodeTurn } from '../schedule/runSteps';
import type { GraphState } from '../state/graphState';
import { typeName } from '../state/reduce';
import { parseTemplate, renderRaw } from '../state/template';
import { updatesOf } from './fillNode';
import { type RunBranch, runMapItem } from './mapItem';
import type { NodeRoom, WorkedNode } from './nodeRoom';

/**
 * Runs its branch for each item of a list, so many at once as it says, and collects what they came to in the order of the
 * list. The first that fails, and has no fallback, cancels the others. What was collected before the run was stopped is not
 * run again.
 */
export async function runMap(node: MapNode, turn: NodeTurn, room: NodeRoom, runBranch: RunBranch): Promise<WorkedNode> {
  const items = itemsOf(node, turn.state, room);
  const known = room.itemsDone(turn);
  const collected = items.map((_, index) => known.get(index) ?? null);
  const left = [...items.keys()].filter((index) => !known.has(index));
  await inTurns(node.maxConcurrency ?? room.graph.settings.maxConcurrency, left, turn.signal, async (index, signal) => {
    const state = itemState(node, turn.state, items[index] ?? null);
    const own = { step: turn.step, state, signal, item: { map: node.id, index } };
    try {
      const onBegun = (branch: string) => room.itemBegun(turn, { index, of: items.length, branch });
      const item = await runMapItem({ map: node, turn: own, room, onBegun, runBranch });
      collected[index] = item.value;
      await room.itemDone(turn, { index, of: items.length, ...item });
    } catch (error) {
      if (signal.aborted) throw error;
      await room.itemFailed(turn, { index, message: errorText(error) });
      throw new GraphFailure(`Item ${index + 1} of ${items.length}: ${errorText(error)}`, node.id, { cause: error });
    }
  });
  const writes = [
    { key: node.collectInto, value: collected },
    ...updatesOf(node, turn.state, { output: collected }, room.graph),
  ];
  return { writes, targets: node.next, output: collected };
}

function itemsOf(node: MapNode, state: GraphState, { graph }: NodeRoom): readonly JsonValue[] {
  const over = renderRaw(parseTemplate(node.over, graph.version), state);
  if (Array.isArray(over)) return over;
  throw new Error(`“over” must come to a list, and ${node.over} is ${typeName(over)}.`);
}

/** What an earlier node wrote under the key that is collected is nothing that the branch said (D-1). */
function itemState(node: MapNode, state: GraphState, item: JsonValue): GraphState {
  const own = new Map(state);
  own.delete(node.outputKey ?? 'output');
  return own.set(node.as, item);
}

/** Rejects with what the first that failed did, once all have ended. */
async function inTurns(
  most: number,
  indices: readonly number[],
  signal: AbortSignal,
  work: (index: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const limiter = new Limiter(most);
  const others = new AbortController();
  const own = AbortSignal.any([signal, others.signal]);
  const failures: unknown[] = [];
  const failed = (error: unknown) => {
    failures.push(error);
    others.abort();
  };
  const one = async (index: number) => {
    // Each listens to its signal, and a signal with many listeners is told of as a leak.
    const each = AbortSignal.any([own]);
    // What fails ends the others before its place is free, so that none of them takes it.
    await limiter.run(() => work(index, each).catch(failed), each).catch(failed);
  };
  await Promise.all(indices.map(one));
  const [first] = failures;
  if (first !== undefined) throw first instanceof Error ? first : new Error(errorText(first));
}
