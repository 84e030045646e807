/** The ways of a graph by the numbers of its nodes, in the order of the file. */
export interface NumberedWays {
  readonly next: readonly (readonly number[])[];
  /** Without ways that are only taken when something fails. */
  readonly usual: readonly (readonly number[])[];
}

/**
 * From which branches of a fan-out nodes are reached, and how soon: up to where all of them have come together, or a run comes
 * to the fan-out again. Nodes are numbers, since every fan-out of a graph may lead through all of it.
 */
export class BranchMarks {
  /** The nodes that come after the fan-out, the first of them behind which all branches are together. */
  readonly nodes: readonly number[];
  /** So many words of 32 branches for each node. */
  private readonly width: number;
  private readonly marks: Uint32Array;
  private readonly all: Uint32Array;
  private readonly steps: Uint32Array;
  private readonly joins: Uint8Array;

  constructor(
    readonly from: number,
    readonly branches: readonly number[],
    ways: NumberedWays,
  ) {
    const size = ways.next.length;
    this.width = Math.ceil(branches.length / 32);
    this.all = new Uint32Array(this.width);
    this.marks = new Uint32Array(size * this.width);
    this.steps = new Uint32Array(size);
    this.joins = new Uint8Array(size);
    for (const [index, node] of branches.entries()) {
      const at = index >>> 5;
      const bit = 1 << (index & 31);
      this.marks[node * this.width + at] = bit;
      this.all[at] = (this.all[at] ?? 0) | bit;
    }
    this.nodes = this.spread(ways.next).filter((node) => node !== from);
    this.marks.fill(0, from * this.width, (from + 1) * this.width);
    for (const node of this.nodes) this.joins[node] = this.hasAll(node) ? 1 : 0;
    this.count(ways.usual);
  }

  /** Whether it is one of `nodes`. */
  isAfter(node: number): boolean {
    for (let at = 0; at < this.width; at++) if (this.word(node, at) !== 0) return true;
    return false;
  }

  /** The fewest steps from the fan-out, on the usual ways; 0 where none leads there. */
  stepsTo(node: number): number {
    return this.steps[node] ?? 0;
  }

  /** Whether two nodes lie in branches of which neither leads to both, so that they run side by side. */
  areApart(one: number, other: number): boolean {
    if (!this.isAfter(one) || !this.isAfter(other)) return false;
    for (let at = 0; at < this.width; at++) if ((this.word(one, at) & this.word(other, at)) !== 0) return false;
    return true;
  }

  /** Whether every branch leads there. */
  isJoin(node: number): boolean {
    return this.joins[node] === 1;
  }

  /** Whether a branch, by the node that it begins with, leads to a node. */
  isIn(branch: number, node: number): boolean {
    const index = this.branches.indexOf(branch);
    return (this.word(node, index >>> 5) & (1 << (index & 31))) !== 0;
  }

  /** Of nodes with the same marks one stands for all. */
  keyOf(node: number): number | string {
    if (this.width === 1) return this.word(node, 0);
    return this.marks.subarray(node * this.width, (node + 1) * this.width).join();
  }

  private word(node: number, at: number): number {
    return this.marks[node * this.width + at] ?? 0;
  }

  private hasAll(node: number): boolean {
    for (let at = 0; at < this.width; at++) if (this.word(node, at) !== this.all[at]) return false;
    return true;
  }

  /** The nodes that were reached, in that order. */
  private spread(next: NumberedWays['next']): number[] {
    const reached = [...this.branches];
    const queue = [...this.branches];
    const isWaiting = new Uint8Array(next.length);
    for (const node of queue) isWaiting[node] = 1;
    for (let at = 0; at < queue.length; at++) {
      const node = queue[at] ?? 0;
      isWaiting[node] = 0;
      if (node === this.from || this.hasAll(node)) continue;
      for (const to of next[node] ?? []) {
        if (!this.isAfter(to)) reached.push(to);
        if (!this.add(node, to) || isWaiting[to] === 1) continue;
        isWaiting[to] = 1;
        queue.push(to);
      }
    }
    return reached;
  }

  /** False when the other node had the marks of the first. */
  private add(node: number, to: number): boolean {
    let isNew = false;
    for (let at = 0; at < this.width; at++) {
      const before = this.word(to, at);
      // Numbers with a sign, as bits are put together here, are not those that are kept.
      const joined = (before | this.word(node, at)) >>> 0;
      if (joined === before) continue;
      isNew = true;
      this.marks[to * this.width + at] = joined;
    }
    return isNew;
  }

  private count(usual: NumberedWays['usual']): void {
    const queue: number[] = [];
    const come = (node: number, step: number) => {
      if (this.steps[node] !== 0 || !this.isAfter(node)) return;
      this.steps[node] = step;
      queue.push(node);
    };
    for (const node of this.branches) come(node, 1);
    for (let at = 0; at < queue.length; at++) {
      const node = queue[at] ?? 0;
      if (!this.isJoin(node)) for (const to of usual[node] ?? []) come(to, this.stepsTo(node) + 1);
    }
  }
}
