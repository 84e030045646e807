import { isAbort } from '../../../base/abort';
import { errorText } from '../../../base/errorText';
import { fallbackOf, itemNodes } from '../itemNodes';
import type { GraphNode, JsonValue, MapNode } from '../graph';
import type { NodeTurn } from '../schedule/runSteps';
import type { GraphState } from '../state/graphState';
import { aroundFailure } from './aroundFailure';
import { NobodyAnswered } from './askNodes';
import type { NodeRoom, WorkedNode } from './nodeRoom';

/** Runs one node for an item, with its tries and its time. */
export type RunBranch = (turn: NodeTurn) => Promise<WorkedNode>;

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
export async function runMapItem({ map, turn, room, onBegun, runBranch }: ItemParts): Promise<MapItem> {
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
  throw new Error(`“${id}” wrote nothing under “${key}”, which the map collects. Write it with state_updates.`);
}
