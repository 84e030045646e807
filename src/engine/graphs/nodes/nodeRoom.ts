import type { GraphDesk, WorkSession } from '../desk';
import type { Graph, JsonValue } from '../graph';
import type { Limiter } from '../schedule/limiter';
import type { NodeOutcome } from '../schedule/position';
import type { NodeTurn } from '../schedule/runSteps';
import type { GraphState } from '../state/graphState';
import type { Account } from './accounts';

/** What every node of a run is given. */
export interface NodeRoom {
  readonly graph: Graph;
  readonly desk: GraphDesk;
  /** Of all that works at once; who waits for a person needs no place. */
  readonly limiter: Limiter;
  /** What was collected of a map before it failed or the run was stopped, by the index of the item. */
  readonly itemsDone: (map: NodeTurn) => ReadonlyMap<number, JsonValue>;
  /** `branch`: the node that is begun for one of so many items. */
  readonly itemBegun: (map: NodeTurn, item: { index: number; of: number; branch: string }) => Promise<void>;
  readonly itemDone: (map: NodeTurn, item: DoneItem) => Promise<void>;
  readonly itemFailed: (map: NodeTurn, item: { index: number; message: string }) => Promise<void>;
  /** Where an agent works on a node, or on an item of a map. */
  readonly sessionFor: (turn: NodeTurn) => WorkSession;
  /** What a node uses, or an item of a map. */
  readonly accountOf: (turn: NodeTurn) => Account;
  /** Told when a node is tried again. */
  readonly onRetry: (turn: NodeTurn, attempt: number, why: string) => Promise<void>;
}

/** An item of a map that was run; `of` so many. */
export interface DoneItem {
  readonly index: number;
  readonly of: number;
  readonly value: JsonValue;
  /** Why its branch failed, where its `fallback` led around that. */
  readonly failure?: string;
  /** The node whose answer that is. */
  readonly by?: string;
}

/** What a node came to. */
export interface WorkedNode extends NodeOutcome {
  /** Of the agent that worked on it. */
  readonly sessionId?: string;
  /** Why it failed, where its `fallback` led around that. */
  readonly failure?: string;
}

/** What runs a node knows: its graph, the state, and what it may do. */
export interface NodePlace {
  readonly graph: Graph;
  readonly state: GraphState;
  readonly desk: GraphDesk;
  readonly signal: AbortSignal;
}

/** The same where an agent may work. */
export interface WorkPlace extends NodePlace {
  readonly session: WorkSession;
  readonly account: Account;
  /** Whether it works on an item of a map. */
  readonly isItem: boolean;
}
