import { isAbort, throwIfAborted } from '../../../base/abort';
import { errorText } from '../../../base/errors';
import { fallbackOf, itemNodes } from '../edges';
import type { GraphNode, JsonValue, MapNode } from '../graph';
import { type GraphState, typeName } from '../graphState';
import { GraphFailure } from '../position';
import type { NodeTurn } from '../runSteps';
import { parseTemplate, renderRaw } from '../template';
import { NobodyAnswered } from './askNodes';
import { aroundFailure, type NodeRoom, updatesOf, withUpdates, type WorkedNode } from './nodeRoom';

/**
 * Runs the branch for each item of a list, with limited concurrency, and collects the results in list order. The first item to
 * fail without a fallback cancels the others. Items collected before the run was stopped are not run again.
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
  const updates = updatesOf(node, turn.state, { output: collected }, room.graph);
  const writes = withUpdates([{ key: node.collectInto, value: collected }], updates);
  return { writes, targets: node.next, output: collected };
}

function itemsOf(node: MapNode, state: GraphState, { graph }: NodeRoom): readonly JsonValue[] {
  const over = renderRaw(parseTemplate(node.over, graph.version), state);
  if (Array.isArray(over)) return over;
  throw new Error(`“over” must evaluate to a list, but ${node.over} is ${typeName(over)}.`);
}

/** A value that an earlier node wrote to the collected key must not be mistaken for a result of the branch (D-1). */
function itemState(node: MapNode, state: GraphState, item: JsonValue): GraphState {
  const own = new Map(state);
  own.delete(node.outputKey ?? 'output');
  return own.set(node.as, item);
}

/** Works on `most` items at a time, in order. Rejects with the first failure, once those that had begun have ended. */
async function inTurns(
  most: number,
  indices: readonly number[],
  signal: AbortSignal,
  work: (index: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const others = new AbortController();
  const own = AbortSignal.any([signal, others.signal]);
  const failures: unknown[] = [];
  const failed = (error: unknown) => {
    failures.push(error);
    others.abort();
  };
  const left = indices.values();
  const worker = async () => {
    for (const index of left) {
      if (own.aborted) return;
      // Each item gets a signal of its own, since many listeners on one signal are reported as a leak.
      await work(index, AbortSignal.any([own])).catch(failed);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, indices.length) }, worker));
  const [first] = failures;
  if (first !== undefined) throw first instanceof Error ? first : new Error(errorText(first));
  throwIfAborted(signal);
}

/** Runs one node for an item, with its retries and timeout. */
type RunBranch = (turn: NodeTurn) => Promise<WorkedNode>;

/** The result of an item. */
interface MapItem {
  readonly value: JsonValue;
  /** Why its branch failed, if a `fallback` handled that. */
  readonly failure?: string;
  /** The node that produced the value. */
  readonly by?: string;
}

interface ItemParts {
  readonly map: MapNode;
  /** The turn of the item. */
  readonly turn: Omit<NodeTurn, 'node'>;
  readonly room: NodeRoom;
  /** Called for each node that starts for the item. */
  readonly onBegun: (branch: string) => Promise<void>;
  readonly runBranch: RunBranch;
}

/**
 * Runs the branch of a map for an item. If it fails, its `fallback` runs with what the failure wrote to the state. Rejects with
 * the error of the last node, and with AbortError.
 */
async function runMapItem({ map, turn, room, onBegun, runBranch }: ItemParts): Promise<MapItem> {
  const nodes = itemNodes(map, room.graph);
  if (nodes.length === 0) throw new Error(`Its branch “${map.branch}” does not exist.`);
  let { state } = turn;
  let failure: string | undefined;
  let value: JsonValue = null;
  for (const node of nodes) {
    const own = { ...turn, node, state };
    await onBegun(node.id);
    try {
      const done = await runBranch(own);
      return { value: resultOf(map, node, done), by: node.id, ...(failure !== undefined && { failure }) };
    } catch (error) {
      await room.accountOf(own).keep();
      const isOver = turn.signal.aborted || isAbort(error) || error instanceof NobodyAnswered;
      if (isOver || fallbackOf(node) === undefined) throw error;
      failure ??= errorText(error);
      const around = aroundFailure(own, room, errorText(error));
      value = writtenOf(map, around) ?? around.output ?? null;
      state = withWrites(state, around);
      room.accountOf(own).settle();
    }
  }
  return { value, ...(failure !== undefined && { failure }) };
}

function withWrites(state: GraphState, { writes }: Pick<WorkedNode, 'writes'>): GraphState {
  return new Map([...state, ...writes.map(({ key, value }) => [key, value] as const)]);
}

function writtenOf(map: MapNode, { writes }: Pick<WorkedNode, 'writes'>): JsonValue | undefined {
  const key = map.outputKey ?? 'output';
  return writes.findLast((write) => write.key === key)?.value;
}

function resultOf(map: MapNode, { id }: GraphNode, done: WorkedNode): JsonValue {
  const written = writtenOf(map, done);
  if (written !== undefined) return written;
  if (map.outputKey === undefined && done.output !== undefined) return done.output;
  const key = map.outputKey ?? 'output';
  throw new Error(`“${id}” did not write “${key}”, which the map collects. Write it with state_updates.`);
}
