import type { Graph, JsonValue } from '../graph';
import { Reach } from '../edges';
import { afterStep, firstPosition, type NodeOutcome, type Position } from '../schedule/position';
import { stateFrom } from '../state/graphState';
import type { EntryOf, GraphEntry } from './graphEntry';

/** How far a run of a graph came, as its record says it. */
export interface Progress {
  readonly position: Position;
  /** The nodes of this step that are done. */
  readonly done: ReadonlyMap<string, NodeOutcome>;
  /** By node, what its map collected in this step, by the index of the item. */
  readonly items: ReadonlyMap<string, ReadonlyMap<number, JsonValue>>;
  /** By `workKey`, where agents were at work in this step. */
  readonly sessions: ReadonlyMap<string, WorkedIn>;
}

/** A session in which an agent worked on a node. */
export interface WorkedIn {
  readonly sessionId: string;
  /** It failed, and the node was to be tried again. */
  readonly hasFailed: boolean;
}

/** What an agent works on in a step: a node, or an item of a map. */
export function workKey(node: string, index?: number): string {
  return `${index ?? ''} ${node}`;
}

/**
 * Follows a record from its beginning; with `until` to the beginning of that step. What came after a step that was never put
 * together counts as far as it is done. Throws GraphFailure when the record and the graph do not go together.
 */
export function progressOf(graph: Graph, prompt: string, entries: readonly GraphEntry[], until = Infinity): Progress {
  const reach = new Reach(graph);
  let position = firstPosition(graph, prompt);
  let done = new Map<string, NodeOutcome>();
  let items = new Map<string, Map<number, JsonValue>>();
  let sessions = new Map<string, WorkedIn>();
  for (const entry of entries) {
    if (position.step >= until && entry.type !== 'edited') break;
    if (entry.type === 'edited') position = { ...position, state: stateFrom(entry.state) };
    else if (entry.type === 'node-done') done.set(entry.node, outcomeOf(entry));
    else if (entry.type === 'agent-begun') {
      sessions.set(workKey(entry.node, entry.index), { sessionId: entry.sessionId, hasFailed: false });
    } else if (entry.type === 'retried') markFailed(sessions, entry);
    else if (entry.type === 'item-done') {
      items.set(entry.node, (items.get(entry.node) ?? new Map<number, JsonValue>()).set(entry.index, entry.value));
    } else if (entry.type === 'step-done' && entry.step === position.step) {
      const after = afterStep(graph, reach, position, done);
      if (after.kind === 'ended') break;
      ({ position } = after);
      done = new Map();
      items = new Map();
      sessions = new Map();
    }
  }
  return { position, done, items, sessions };
}

/** What worked on a node that is tried again has failed; without `index` also what worked on items of it, which was stopped. */
export function markFailed(
  sessions: Map<string, WorkedIn>,
  { node, index }: { readonly node: string; readonly index?: number },
): void {
  for (const [key, { sessionId }] of sessions) {
    const isMeant = index === undefined ? key.slice(key.indexOf(' ') + 1) === node : key === workKey(node, index);
    if (isMeant) sessions.set(key, { sessionId, hasFailed: true });
  }
}

function outcomeOf({ writes, targets, end, output }: EntryOf<'node-done'>): NodeOutcome {
  return { writes, targets, ...(end !== undefined && { end }), ...(output !== undefined && { output }) };
}
