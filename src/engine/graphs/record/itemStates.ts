import type { EntryOf } from './graphEntry';

/** What became of an item in a node that a map runs for it. `around`: that failed, and its fallback led around it. */
export type ItemState = 'begun' | 'done' | 'around' | 'failed' | 'stopped';

/** A node that a map runs for its items, with how many of them came to what there. */
export interface BranchView extends Readonly<Record<ItemState, number>> {
  readonly node: string;
  /** So many did not come to it: of the branch itself those that did not begin, of what stands in for it none. */
  readonly left: number;
  /** So many were tried more than once there. */
  readonly retried: number;
}

export type ItemEntry = EntryOf<'item-begun' | 'item-done' | 'item-failed' | 'retried'>;

/** What became of the items of a map in a step, over all times that it was begun anew. */
export class ItemStates {
  private items = 0;
  /** By node, in the order in which each was begun first: by the index of the item. */
  private readonly byNode = new Map<string, Map<number, ItemState>>();
  private readonly retried = new Map<string, Set<number>>();
  /** By the index of the item, the node that was begun last for it. */
  private readonly last = new Map<number, string>();

  take(entry: ItemEntry): void {
    if (entry.type === 'item-begun') return this.begin(entry);
    // The map itself is tried again, with all that was cut off.
    if (entry.index === undefined) return this.stop();
    const { index } = entry;
    const node = this.last.get(index);
    const states = node === undefined ? undefined : this.byNode.get(node);
    if (node === undefined || !states) return;
    if (entry.type === 'retried') this.retried.set(node, (this.retried.get(node) ?? new Set<number>()).add(index));
    else if (entry.type === 'item-failed') states.set(index, 'failed');
    else states.set(index, entry.failure === undefined || entry.by === node ? 'done' : 'around');
  }

  /** What is begun has been cut off. */
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
    // Begun anew from the branch itself: what stood in for it before does not count.
    else for (const states of this.byNode.values()) states.delete(index);
    const states = this.byNode.get(branch) ?? new Map<number, ItemState>();
    this.byNode.set(branch, states.set(index, 'begun'));
    this.last.set(index, branch);
  }
}
