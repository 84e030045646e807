import type { GraphDesk, WorkSession } from '../desk';
import type { Graph, JsonValue } from '../graph';
import type { Limiter } from '../schedule/limiter';
import type { NodeOutcome } from '../schedule/position';
import type { NodeTurn } from '../schedule/runSteps';
import type { GraphState } from '../state/graphState';
import type { Account } from './accounts';

/** What every node of a run has access to. */
export interface NodeRoom {
  readonly graph: Graph;
  readonly desk: GraphDesk;
  /** Limits concurrent work; waiting for the user does not count. */
  readonly limiter: Limiter;
  /** Results of a map that were collected before it failed or the run was stopped, by item index. */
  readonly itemsDone: (map: NodeTurn) => ReadonlyMap<number, JsonValue>;
  /** `branch`: the node that starts for the item; `of`: the number of items. */
  readonly itemBegun: (map: NodeTurn, item: { index: number; of: number; branch: string }) => Promise<void>;
  readonly itemDone: (map: NodeTurn, item: DoneItem) => Promise<void>;
  readonly itemFailed: (map: NodeTurn, item: { index: number; message: string }) => Promise<void>;
  /** Session for the agent that works on a node, or on an item of a map. */
  readonly sessionFor: (turn: NodeTurn) => WorkSession;
  /** Account of a node, or of an item of a map. */
  readonly accountOf: (turn: NodeTurn) => Account;
  /** Called when a node is retried. */
  readonly onRetry: (turn: NodeTurn, attempt: number, why: string) => Promise<void>;
}

/** A finished item of a map with `of` items. */
export interface DoneItem {
  readonly index: number;
  readonly of: number;
  readonly value: JsonValue;
  /** Why its branch failed, if a `fallback` handled that. */
  readonly failure?: string;
  /** The node that produced the value. */
  readonly by?: string;
}

/** The result of a node. */
export interface WorkedNode extends NodeOutcome {
  /** Session of the agent that worked on it. */
  readonly sessionId?: string;
  /** Why it failed, if a `fallback` handled that. */
  readonly failure?: string;
}

/** The context in which a node runs. */
export interface NodePlace {
  readonly graph: Graph;
  readonly state: GraphState;
  readonly desk: GraphDesk;
  readonly signal: AbortSignal;
}

/** The context of a node for which an agent may work. */
export interface WorkPlace extends NodePlace {
  readonly session: WorkSession;
  readonly account: Account;
  /** Whether it works on an item of a map. */
  readonly isItem: boolean;
}
