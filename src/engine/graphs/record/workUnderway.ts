import type { WorkSession } from '../desk';
import type { JsonValue } from '../graph';
import type { NodeTurn } from '../schedule/runSteps';
import { markFailed, type Progress, type WorkedIn, workKey } from './progress';

type Turn = Pick<NodeTurn, 'node' | 'step' | 'item'>;

/** What is done of nodes that are not: items of maps, and where agents are at work; of the step at hand alone. */
export class WorkUnderway {
  private readonly items: Map<string, Map<number, JsonValue>>;
  private readonly sessions: Map<string, WorkedIn>;
  private readonly called = new Map<string, number>();
  /** How many agents of a node wait for a person. */
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

  /** How many there are with it. */
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

  /** Counts a call of an agent that works there; how many there are with it. */
  calls(turn: Turn): number {
    this.moveTo(turn.step);
    const count = (this.called.get(keyOf(turn)) ?? 0) + 1;
    this.called.set(keyOf(turn), count);
    return count;
  }

  /**
   * An agent that works there begins to wait for a person, or no longer does. What it is of the node, or of the map, whose items
   * may ask side by side; undefined where it is nothing new.
   */
  asks({ node, step, item }: Turn, isAsking: boolean): 'asked' | 'answered' | undefined {
    // What ends late is told with its step.
    if (step !== this.step) return undefined;
    const key = item?.map ?? node.id;
    const before = this.asking.get(key) ?? 0;
    this.asking.set(key, before + (isAsking ? 1 : -1));
    if (isAsking) return before === 0 ? 'asked' : undefined;
    return before === 1 ? 'answered' : undefined;
  }

  /** The node is tried again. */
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
