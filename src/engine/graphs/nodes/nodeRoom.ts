import { clipEnd } from '../../../base/truncate';
import type { GraphDesk, WorkSession } from '../desk';
import type { Graph, GraphNode, JsonValue } from '../graph';
import { type GraphState, scopeWith, type Write } from '../graphState';
import type { NodeOutcome } from '../position';
import type { Limiter, NodeTurn } from '../runSteps';
import {
  MOST_STATE,
  parseTemplate,
  renderLenient,
  renderStrict,
  renderTyped,
  type Scope,
  sizeOf,
  StateTooLarge,
} from '../template';
import type { Account } from './accounts';

/** What every node of a run has access to. */
export interface NodeRoom {
  readonly graph: Graph;
  readonly desk: GraphDesk;
  readonly now: () => number;
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
interface DoneItem {
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
interface NodePlace {
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

/** Renders a strict template. Throws MissingReferences. */
export function strictText(text: string, scope: Scope, { version }: Pick<Graph, 'version'>): string {
  return renderStrict(parseTemplate(text, version), scope);
}

export function lenientText(text: string, scope: Scope, { version }: Pick<Graph, 'version'>): string {
  return renderLenient(parseTemplate(text, version), scope);
}

/**
 * Returns what a node writes when it is done. Each template sees the state before these writes, and the node's own values. Throws
 * StateTooLarge.
 */
export function updatesOf(
  { updates }: GraphNode,
  state: GraphState,
  own: Readonly<Record<string, JsonValue>>,
  { version }: Pick<Graph, 'version'>,
): Write[] {
  const scope = scopeWith(state, own);
  let size = 0;
  return updates.map(({ key, template }) => {
    const value = renderTyped(parseTemplate(template, version), scope) ?? '';
    size += sizeOf([value], MOST_STATE);
    if (size > MOST_STATE) throw new StateTooLarge('What the node writes');
    return { key, value };
  });
}

/**
 * Returns the writes for a failure with a fallback. As in the original, the updates of a model's node see the error as its
 * output, while a script's node writes nothing.
 */
export function aroundFailure(
  { node, state }: Pick<NodeTurn, 'node' | 'state'>,
  { graph }: Pick<NodeRoom, 'graph'>,
  why: string,
): Pick<WorkedNode, 'writes' | 'output'> {
  const output = clipEnd(why, 2000);
  const own = node.type === 'command' ? { output, exit_code: null, command: '' } : { output };
  const writes = node.type === 'script' ? [] : updatesOf(node, state, own, graph);
  return { writes, output };
}

/** Returns all writes of a node. An update replaces a written value of the same key, so that a reducer sees only one. */
export function withUpdates(written: readonly Write[], updates: readonly Write[]): Write[] {
  const keys = new Set(updates.map(({ key }) => key));
  return [...written.filter(({ key }) => !keys.has(key)), ...updates];
}
