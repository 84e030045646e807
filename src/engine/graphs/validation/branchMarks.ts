import type { GraphNode } from '../graph';

type Targets = (id: string) => readonly string[];

/**
 * From which branches of a fan-out nodes are reached, and how soon: up to where all of them have come together, or a run comes
 * to the fan-out again.
 */
export class BranchMarks {
  private readonly marks = new Map<string, Uint32Array>();
  private readonly steps = new Map<string, number>();
  private readonly all: Uint32Array;

  constructor(
    readonly from: GraphNode,
    readonly branches: readonly string[],
    next: Targets,
    /** Without ways that are only taken when something fails. */
    usual: Targets,
  ) {
    this.all = new Uint32Array(Math.ceil(branches.length / 32));
    for (const [index, id] of branches.entries()) {
      const bit = 1 << (index & 31);
      const marks = new Uint32Array(this.all.length);
      marks[index >>> 5] = bit;
      this.marks.set(id, marks);
      this.all[index >>> 5] = (this.all[index >>> 5] ?? 0) | bit;
    }
    this.spread(next);
    this.count(usual);
  }

  /** The nodes that come after the fan-out, the first of them behind which all branches are together. */
  get nodes(): Iterable<string> {
    return this.marks.keys();
  }

  /** The fewest steps from the fan-out, on the usual ways; undefined where none leads there. */
  stepsTo(id: string): number | undefined {
    return this.steps.get(id);
  }

  /** Whether two nodes lie in branches of which neither leads to both, so that they run side by side. */
  areApart(one: string, other: string): boolean {
    const [left, right] = [this.marks.get(one), this.marks.get(other)];
    if (!left || !right) return false;
    return left.every((word, at) => (word & (right[at] ?? 0)) === 0);
  }

  /** Whether every branch leads there. */
  isJoin(id: string): boolean {
    const marks = this.marks.get(id);
    return marks?.every((word, at) => word === this.all[at]) ?? false;
  }

  /** Whether a branch, by the node that it begins with, leads to a node. */
  isIn(branch: string, id: string): boolean {
    const index = this.branches.indexOf(branch);
    return ((this.marks.get(id)?.[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0;
  }

  /** Of nodes with the same marks one stands for all. */
  keyOf(id: string): string {
    return this.marks.get(id)?.join() ?? '';
  }

  private spread(next: Targets): void {
    const waiting = new Set(this.marks.keys());
    for (const id of waiting) {
      waiting.delete(id);
      const marks = this.marks.get(id);
      if (!marks || id === this.from.id || this.isJoin(id)) continue;
      for (const to of next(id)) if (this.add(marks, to)) waiting.add(to);
    }
    this.marks.delete(this.from.id);
  }

  /** False when the node had these marks. */
  private add(marks: Uint32Array, to: string): boolean {
    const before = this.marks.get(to);
    if (!before) {
      this.marks.set(to, marks.slice());
      return true;
    }
    let isNew = false;
    for (const [at, word] of marks.entries()) {
      const joined = (before[at] ?? 0) | word;
      // Numbers with a sign, as bits are put together here, are not those that are kept.
      if (joined >>> 0 !== before[at]) isNew = true;
      before[at] = joined;
    }
    return isNew;
  }

  private count(usual: Targets): void {
    let frontier = [...new Set(this.branches)];
    for (let step = 1; frontier.length > 0; step++) {
      const fresh = frontier.filter((id) => this.marks.has(id) && !this.steps.has(id));
      for (const id of fresh) this.steps.set(id, step);
      frontier = [...new Set(fresh.filter((id) => !this.isJoin(id)).flatMap((id) => usual(id)))];
    }
  }
}
