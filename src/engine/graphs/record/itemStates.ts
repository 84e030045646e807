import type { EntryOf } from './graphEntry';

/** The state of an item in one of the nodes that a map runs for it. `around`: the node failed, and its fallback took over. */
export type ItemState = 'begun' | 'done' | 'around' | 'failed' | 'stopped';

/** A node that a map runs for its items, with the number of items in each state. */
export interface BranchView extends Readonly<Record<ItemState, number>> {
  readonly node: string;
  /** The number of items that have not started; 0 for fallbacks. */
  readonly left: number;
  /** The number of items that were tried more than once. */
  readonly retried: number;
}

export type ItemEntry = EntryOf<'item-begun' | 'item-done' | 'item-failed' | 'retried'>;

/** The states of a map's items in a step, over all restarts. */
export class ItemStates {
  private items = 0;
  /** Node → item index → state; nodes in the order in which they first started. */
  private readonly byNode = new Map<string, Map<number, ItemState>>();
  private readonly retried = new Map<string, Set<number>>();
  /** Item index → the node that started last for it. */
  private readonly last = new Map<number, string>();

  take(entry: ItemEntry): void {
    if (entry.type === 'item-begun') return this.begin(entry);
    // The map itself is retried, including everything that was cut off.
    if (entry.index === undefined) return this.stop();
    const { index } = entry;
    const node = this.last.get(index);
    const states = node === undefined ? undefined : this.byNode.get(node);
    if (node === undefined || !states) return;
    if (entry.type === 'retried') this.retried.set(node, (this.retried.get(node) ?? new Set<number>()).add(index));
    else if (entry.type === 'item-failed') states.set(index, 'failed');
    else states.set(index, entry.failure === undefined || entry.by === node ? 'done' : 'around');
  }

  /** Marks everything that is still running as stopped. */
  stop(): void {
    for (const states of this.byNode.values()) {
      for (const [index, state] of states) if (state === 'begun') states.set(index, 'stopped');
    }
  }

  views(): BranchView[] {
    return [...this.byNode].map(([node, states], at) => {
      const counts = { begun: 0, done: 0, around: 0, failed: 0, stopped: 0 };
      for (const state of states.values()) counts[state]++;
      const left = at === 0 ? this.items - states.size : 0;
      return { node, ...counts, left, retried: this.retried.get(node)?.size ?? 0 };
    });
  }

  private begin({ index, of, branch }: EntryOf<'item-begun'>): void {
    this.items = of;
    const before = this.last.get(index);
    const failed = before === undefined || before === branch ? undefined : this.byNode.get(before);
    if (failed?.get(index) === 'begun') failed.set(index, 'around');
    // The item restarts from the branch, so the states of earlier fallbacks no longer count.
    else for (const states of this.byNode.values()) states.delete(index);
    const states = this.byNode.get(branch) ?? new Map<number, ItemState>();
    this.byNode.set(branch, states.set(index, 'begun'));
    this.last.set(index, branch);
  }
}
