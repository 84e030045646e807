import { EngineError } from '../../engineError';
import type { Used, WorkSession } from '../desk';
import { Reach } from '../edges';
import type { Graph, JsonValue } from '../graph';
import { stateFrom } from '../graphState';
import { afterStep, firstPosition, type NodeOutcome, type Position } from '../position';
import type { NodeTurn } from '../runSteps';
import type { EntryOf, GraphEntry } from './graphRecords';

/** How far a graph run got, according to its record. */
export interface Progress {
  readonly position: Position;
  /** The nodes of this step that are done. */
  readonly done: ReadonlyMap<string, NodeOutcome>;
  /** Node → item index → value that its map collected in this step. */
  readonly items: ReadonlyMap<string, ReadonlyMap<number, JsonValue>>;
  /** `workKey` → session in which an agent worked in this step. */
  readonly sessions: ReadonlyMap<string, WorkedIn>;
  /** `workKey` → usage in this step. */
  readonly used: ReadonlyMap<string, Used>;
  /** Node → its usage up to its last failure. */
  readonly settled: ReadonlyMap<string, Used>;
}

/** A session in which an agent worked on a node. */
interface WorkedIn {
  readonly sessionId: string;
  /** The agent failed, and the node was to be retried. */
  readonly hasFailed: boolean;
  /** When the node, or the item, last failed since the work there began. */
  readonly failedAt?: number;
}

/** Returns the key of a unit of work in a step: a node, or an item of a map. */
export function workKey(node: string, index?: number): string {
  return `${index ?? ''} ${node}`;
}

/**
 * Replays a record from its start, or up to the start of the step `until`. For an unfinished step, includes what is already done.
 * Throws EngineError `damaged` if lines are missing, and GraphFailure if the record does not match the graph.
 */
export function progressOf(graph: Graph, prompt: string, entries: readonly GraphEntry[], until = Infinity): Progress {
  const reach = new Reach(graph);
  let position = firstPosition(graph, prompt);
  let step = new StepProgress();
  for (const entry of entries) {
    if (position.step >= until && entry.type !== 'edited') break;
    if (entry.type === 'edited') position = { ...position, state: stateFrom(entry.state) };
    else if ('step' in entry && entry.step !== position.step) refuseLater(entry, position);
    else if (entry.type === 'step-done') {
      refuseLost(position, step.done);
      const after = afterStep(graph, reach, position, step.done, entry.next);
      if (after.kind === 'ended') break;
      ({ position } = after);
      step = new StepProgress();
    } else step.take(entry);
  }
  const { done, items, sessions, used, settled } = step;
  return { position, done, items, sessions, used, settled };
}

/** Ignores an entry of an earlier step, which is a repetition. Throws for one of a later step: the end of this step is missing. */
function refuseLater(entry: { readonly step: number }, { step }: Position): void {
  if (entry.step > step) throw damaged(`the end of step ${step}`);
}

function refuseLost({ frontier, step }: Position, done: ReadonlyMap<string, NodeOutcome>): void {
  const lost = frontier.find((id) => !done.has(id));
  if (lost !== undefined) throw damaged(`the result of “${lost}” in step ${step}`);
}

function damaged(what: string): EngineError {
  return new EngineError(
    'damaged',
    `The record of the run lacks ${what}, so the run cannot continue after it. Retry from an earlier node.`,
  );
}

/** What is done in an unfinished step. */
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
        this.failed(workKey(entry.node), entry.time);
        return;
      case 'item-failed':
        this.failed(workKey(entry.node, entry.index), entry.time);
        return;
      default:
    }
  }

  private failed(key: string, failedAt: number): void {
    const known = this.sessions.get(key);
    if (known) this.sessions.set(key, { ...known, failedAt });
  }
}

/** Returns the usage of a node in a step, including the items of a map. `used` is keyed by `workKey`. */
export function usedBy(used: ReadonlyMap<string, Used>, node: string): Used {
  return [...used].reduce((all, [key, one]) => (nodeOf(key) === node ? sum(all, one) : all), NOTHING);
}

function nodeOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}

/**
 * Returns how many milliseconds a run worked according to its record: not counting the time while somebody was asked, nor between
 * a stop and its resumption.
 */
export function timeUsed(entries: readonly GraphEntry[]): number {
  const asking = new AskingNodes();
  let used = 0;
  let last: number | undefined;
  for (const entry of entries) {
    const { type, time } = entry;
    // An edit of the user, not part of the run.
    if (type === 'edited') continue;
    if (type !== 'resumed' && last !== undefined && !asking.isAny) used += Math.max(0, time - last);
    asking.take(entry);
    last = time;
  }
  return used;
}

/** The nodes that wait for the user, by the entries of a record so far. */
export class AskingNodes {
  private readonly nodes = new Set<string>();

  get isAny(): boolean {
    return this.nodes.size > 0;
  }

  take(entry: GraphEntry): void {
    switch (entry.type) {
      case 'asked':
        this.nodes.add(entry.node);
        return;
      case 'answered':
      case 'node-done':
      case 'node-failed':
        this.nodes.delete(entry.node);
        return;
      case 'retried':
        // Other items of a map may still ask.
        if (entry.index === undefined) this.nodes.delete(entry.node);
        return;
      case 'step-done':
      case 'resumed':
      case 'ended':
        this.nodes.clear();
        return;
      default:
    }
  }
}

/** Marks the work on a retried node as failed; without `index` also the work on its items, which was stopped. */
function markFailed(
  sessions: Map<string, WorkedIn>,
  { node, index, time }: { readonly node: string; readonly index?: number; readonly time: number },
): void {
  for (const [key, { sessionId }] of sessions) {
    const isMeant = index === undefined ? nodeOf(key) === node : key === workKey(node, index);
    if (isMeant) sessions.set(key, { sessionId, hasFailed: true, failedAt: time });
  }
}

function outcomeOf({ writes, targets, end, output }: EntryOf<'node-done'>): NodeOutcome {
  return { writes, targets, ...(end !== undefined && { end }), ...(output !== undefined && { output }) };
}

export const NOTHING: Used = { tokens: 0, costUsd: 0 };

export function sum(one: Used, other: Used): Used {
  return { tokens: one.tokens + other.tokens, costUsd: one.costUsd + other.costUsd };
}

type Turn = Pick<NodeTurn, 'node' | 'step' | 'item'>;

/** Partial results of unfinished nodes in the current step: collected items, and the sessions in which agents work. */
export class WorkUnderway {
  private readonly items: Map<string, Map<number, JsonValue>>;
  private readonly sessions: Map<string, WorkedIn>;
  private readonly called = new Map<string, number>();
  /** How many agents of a node wait for the user. */
  private readonly asking = new Map<string, number>();
  private step: number;

  constructor({ items, sessions, position }: Progress) {
    this.items = new Map([...items].map(([node, known]) => [node, new Map(known)] as const));
    this.sessions = new Map(sessions);
    this.step = position.step;
  }

  itemsOf({ node, step }: Turn): ReadonlyMap<number, JsonValue> {
    this.moveTo(step);
    return new Map(this.items.get(node.id));
  }

  /** Adds an item and returns the new count. */
  addItem({ node, step }: Turn, index: number, value: JsonValue): number {
    this.moveTo(step);
    const known = this.items.get(node.id) ?? new Map<number, JsonValue>();
    this.items.set(node.id, known.set(index, value));
    return known.size;
  }

  sessionOf(turn: Turn): Pick<WorkSession, 'earlier' | 'hasFailed' | 'failedAt'> {
    this.moveTo(turn.step);
    const known = this.sessions.get(keyOf(turn));
    if (!known) return {};
    const { sessionId: earlier, hasFailed, failedAt } = known;
    return { earlier, hasFailed, ...(failedAt !== undefined && { failedAt }) };
  }

  worksIn(turn: Turn, sessionId: string): void {
    this.moveTo(turn.step);
    this.sessions.set(keyOf(turn), { sessionId, hasFailed: false });
  }

  /** Counts a call of the agent that works there, and returns the new count. */
  calls(turn: Turn): number {
    this.moveTo(turn.step);
    const count = (this.called.get(keyOf(turn)) ?? 0) + 1;
    this.called.set(keyOf(turn), count);
    return count;
  }

  /**
   * Notes that an agent starts or stops waiting for the user. Returns the event for the node, or for the map, whose items may ask
   * concurrently; undefined if its status does not change.
   */
  asks({ node, step, item }: Turn, isAsking: boolean): 'asked' | 'answered' | undefined {
    // Work that ends after its step was recorded with it.
    if (step !== this.step) return undefined;
    const key = item?.map ?? node.id;
    const before = this.asking.get(key) ?? 0;
    this.asking.set(key, before + (isAsking ? 1 : -1));
    if (isAsking) return before === 0 ? 'asked' : undefined;
    return before === 1 ? 'answered' : undefined;
  }

  /** Notes that the node failed at this time and is retried. */
  failed({ node, step, item }: Turn, time: number): void {
    this.moveTo(step);
    markFailed(this.sessions, item ? { node: item.map, index: item.index, time } : { node: node.id, time });
  }

  private moveTo(step: number): void {
    if (step === this.step) return;
    this.step = step;
    this.items.clear();
    this.sessions.clear();
    this.called.clear();
    this.asking.clear();
  }
}

function keyOf({ node, item }: Turn): string {
  return item ? workKey(item.map, item.index) : workKey(node.id);
}
