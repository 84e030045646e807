import type { WorkSession } from '../desk';
import type { JsonValue } from '../graph';
import type { NodeTurn } from '../schedule/runSteps';
import { markFailed, type Progress, type WorkedIn, workKey } from './progress';

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

  sessionOf(turn: Turn): Pick<WorkSession, 'earlier' | 'hasFailed'> {
    this.moveTo(turn.step);
    const known = this.sessions.get(keyOf(turn));
    return known ? { earlier: known.sessionId, hasFailed: known.hasFailed } : {};
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

  /** Notes that the node is retried. */
  failed({ node, step, item }: Turn): void {
    this.moveTo(step);
    markFailed(this.sessions, item ? { node: item.map, index: item.index } : { node: node.id });
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
