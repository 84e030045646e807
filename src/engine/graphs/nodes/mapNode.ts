import { errorText } from '../../../base/errorText';
import type { GraphNode, JsonValue, MapNode } from '../graph';
import { GraphFailure } from '../schedule/graphFailure';
import { Limiter } from '../schedule/limiter';
import type { NodeTurn } from '../schedule/runSteps';
import type { GraphState } from '../state/graphState';
import { typeName } from '../state/reduce';
import { parseTemplate, renderRaw } from '../state/template';
import { updatesOf } from './fillNode';
import type { NodeRoom, WorkedNode } from './nodeRoom';

type RunBranch = (turn: NodeTurn) => Promise<WorkedNode>;

/**
 * Runs its branch for each item of a list, so many at once as it says, and collects what they came to in the order of the
 * list. The first that fails cancels the others. What was collected before the run was stopped is not run again.
 */
export async function runMap(node: MapNode, turn: NodeTurn, room: NodeRoom, runBranch: RunBranch): Promise<WorkedNode> {
  const items = itemsOf(node, turn.state, room);
  const branch = room.graph.nodes.get(node.branch);
  if (!branch) throw new Error(`Its branch “${node.branch}” does not exist.`);
  const known = room.itemsDone(turn);
  const collected = items.map((_, index) => known.get(index) ?? null);
  const left = [...items.keys()].filter((index) => !known.has(index));
  const used = { tokens: 0, costUsd: 0 };
  await inTurns(node.maxConcurrency ?? room.graph.settings.maxConcurrency, left, turn.signal, async (index, signal) => {
    const state = branchState(node, turn.state, items[index] ?? null);
    try {
      const done = await runBranch({ ...turn, node: branch, state, signal, item: { map: node.id, index } });
      const value = resultOf(node, branch, done);
      collected[index] = value;
      const took = done.used ?? { tokens: 0, costUsd: 0 };
      used.tokens += took.tokens;
      used.costUsd += took.costUsd;
      await room.itemDone(turn, { index, of: items.length, value, used: took });
    } catch (error) {
      if (signal.aborted) throw error;
      throw new GraphFailure(`Item ${index + 1} of ${items.length}: ${errorText(error)}`, node.id, { cause: error });
    }
  });
  const writes = [
    { key: node.collectInto, value: collected },
    ...updatesOf(node, turn.state, { output: collected }, room.graph),
  ];
  return { writes, targets: node.next, output: collected, used };
}

function itemsOf(node: MapNode, state: GraphState, { graph }: NodeRoom): readonly JsonValue[] {
  const over = renderRaw(parseTemplate(node.over, graph.version), state);
  if (Array.isArray(over)) return over;
  throw new Error(`“over” must come to a list, and ${node.over} is ${typeName(over)}.`);
}

/** What an earlier node wrote under the key that is collected is nothing that the branch said (D-1). */
function branchState(node: MapNode, state: GraphState, item: JsonValue): GraphState {
  const own = new Map(state);
  own.delete(node.outputKey ?? 'output');
  return own.set(node.as, item);
}

function resultOf(node: MapNode, branch: GraphNode, { writes, output }: WorkedNode): JsonValue {
  const key = node.outputKey ?? 'output';
  const written = writes.findLast((write) => write.key === key);
  if (written) return written.value;
  if (node.outputKey === undefined && output !== undefined) return output;
  throw new Error(`“${branch.id}” wrote nothing under “${key}”, which the map collects. Write it with state_updates.`);
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
  const one = async (index: number) => {
    // Each listens to its signal, and a signal with many listeners is told of as a leak.
    const each = AbortSignal.any([own]);
    try {
      await limiter.run(() => work(index, each), each);
    } catch (error) {
      failures.push(error);
      others.abort();
    }
  };
  await Promise.all(indices.map(one));
  const [first] = failures;
  if (first !== undefined) throw first instanceof Error ? first : new Error(errorText(first));
}
