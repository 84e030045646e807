import { isAbort } from '../../../base/abort';
import { errorText } from '../../../base/errorText';
import type { GraphNode, JsonValue, MapNode } from '../graph';
import { fallbackOf, itemNodes } from '../itemNodes';
import { GraphFailure } from '../schedule/graphFailure';
import { Limiter } from '../schedule/limiter';
import type { NodeTurn } from '../schedule/runSteps';
import type { GraphState } from '../state/graphState';
import { typeName } from '../state/reduce';
import { parseTemplate, renderRaw } from '../state/template';
import { aroundFailure, updatesOf, withUpdates } from './fillNode';
import { NobodyAnswered } from './askNodes';
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
  const updates = updatesOf(node, turn.state, { output: collected }, room.graph);
  const writes = withUpdates([{ key: node.collectInto, value: collected }], updates);
  return { writes, targets: node.next, output: collected };
}

function itemsOf(node: MapNode, state: GraphState, { graph }: NodeRoom): readonly JsonValue[] {
  const over = renderRaw(parseTemplate(node.over, graph.version), state);
  if (Array.isArray(over)) return over;
  throw new Error(`“over” must evaluate to a list, but ${node.over} is ${typeName(over)}.`);
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

/** Runs one node for an item, with its tries and its time. */
type RunBranch = (turn: NodeTurn) => Promise<WorkedNode>;

/** What an item of a map came to. */
export interface MapItem {
  readonly value: JsonValue;
  /** Why its branch failed, where its `fallback` led around that. */
  readonly failure?: string;
  /** The node whose answer that is. */
  readonly by?: string;
}

interface ItemParts {
  readonly map: MapNode;
  /** Of the item. */
  readonly turn: Omit<NodeTurn, 'node'>;
  readonly room: NodeRoom;
  /** Told each node that is begun for the item. */
  readonly onBegun: (branch: string) => Promise<void>;
  readonly runBranch: RunBranch;
}

/**
 * Runs the branch of a map for an item; where it fails, what its `fallback` names stands in for it with what it wrote of that.
 * Rejects with what the last of them failed with, and with AbortError.
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
