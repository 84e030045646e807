import type { Used } from '../desk';
import { Reach } from '../edges';
import type { Graph, JsonValue } from '../graph';
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
  /** By `workKey`, what was used in this step. */
  readonly used: ReadonlyMap<string, Used>;
  /** By node, what of that it had used when it failed last. */
  readonly settled: ReadonlyMap<string, Used>;
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
  let step = new StepProgress();
  for (const entry of entries) {
    if (position.step >= until && entry.type !== 'edited') break;
    if (entry.type === 'edited') position = { ...position, state: stateFrom(entry.state) };
    else if (entry.type === 'step-done' && entry.step === position.step) {
      const after = afterStep(graph, reach, position, step.done, entry.next);
      if (after.kind === 'ended') break;
      ({ position } = after);
      step = new StepProgress();
    } else step.take(entry);
  }
  const { done, items, sessions, used, settled } = step;
  return { position, done, items, sessions, used, settled };
}

/** What is done of a step that is not. */
class StepProgress implements Omit<Progress, 'position'> {
  readonly done = new Map<string, NodeOutcome>();
  readonly items = new Map<string, Map<number, JsonValue>>();
  readonly sessions = new Map<string, WorkedIn>();
  readonly used = new Map<string, Used>();
  readonly settled = new Map<string, Used>();

  take(entry: GraphEntry): void {
    switch (entry.type) {
      case 'node-done':
        this.done.set(entry.node, outcomeOf(entry));
        return;
      case 'agent-begun':
        this.sessions.set(workKey(entry.node, entry.index), { sessionId: entry.sessionId, hasFailed: false });
        return;
      case 'retried':
        markFailed(this.sessions, entry);
        return;
      case 'item-done':
        this.items.set(
          entry.node,
          (this.items.get(entry.node) ?? new Map<number, JsonValue>()).set(entry.index, entry.value),
        );
        this.used.set(workKey(entry.node, entry.index), { tokens: entry.tokens, costUsd: entry.costUsd });
        return;
      case 'used': {
        const key = workKey(entry.node, entry.index);
        this.used.set(key, sum(this.used.get(key) ?? NOTHING, entry));
        return;
      }
      case 'node-failed':
        this.settled.set(entry.node, usedBy(this.used, entry.node));
        return;
      default:
    }
  }
}

/** What a node used in a step, also for the items of a map; `used`: by `workKey`. */
export function usedBy(used: ReadonlyMap<string, Used>, node: string): Used {
  return [...used].reduce((all, [key, one]) => (nodeOf(key) === node ? sum(all, one) : all), NOTHING);
}

function nodeOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}

/** So many milliseconds a run was under way by what its record tells, without those between a stop and going on. */
export function timeUsed(entries: readonly GraphEntry[]): number {
  let used = 0;
  let last: number | undefined;
  for (const { type, time } of entries) {
    // A person made it of an earlier run.
    if (type === 'edited') continue;
    if (type !== 'resumed' && last !== undefined) used += Math.max(0, time - last);
    last = time;
  }
  return used;
}

/** What worked on a node that is tried again has failed; without `index` also what worked on items of it, which was stopped. */
export function markFailed(
  sessions: Map<string, WorkedIn>,
  { node, index }: { readonly node: string; readonly index?: number },
): void {
  for (const [key, { sessionId }] of sessions) {
    const isMeant = index === undefined ? nodeOf(key) === node : key === workKey(node, index);
    if (isMeant) sessions.set(key, { sessionId, hasFailed: true });
  }
}

function outcomeOf({ writes, targets, end, output }: EntryOf<'node-done'>): NodeOutcome {
  return { writes, targets, ...(end !== undefined && { end }), ...(output !== undefined && { output }) };
}

export const NOTHING: Used = { tokens: 0, costUsd: 0 };

export function sum(one: Used, other: Used): Used {
  return { tokens: one.tokens + other.tokens, costUsd: one.costUsd + other.costUsd };
}
