/** The ways of a graph by the numbers of its nodes, in the order of the file. */
export interface NumberedWays {
  readonly next: readonly (readonly number[])[];
  /** Without ways that are only taken when something fails. */
  readonly usual: readonly (readonly number[])[];
}

/** Room for what is marked, taken again for each fan-out: thousands of lists would be most of the work. */
export class MarkRoom {
  readonly steps: Uint32Array;
  readonly places: Uint32Array;
  readonly joins: Uint8Array;
  readonly waiting: Uint8Array;
  private marks: Uint32Array;

  constructor(private readonly size: number) {
    this.steps = new Uint32Array(size);
    this.places = new Uint32Array(size);
    this.joins = new Uint8Array(size);
    this.waiting = new Uint8Array(size);
    this.marks = new Uint32Array(size);
  }

  /** Empties all of it, and gives so many words for each node. */
  take(width: number): Uint32Array {
    for (const list of [this.steps, this.places, this.joins, this.waiting]) list.fill(0);
    const length = this.size * width;
    if (this.marks.length < length) this.marks = new Uint32Array(length);
    else this.marks.fill(0, 0, length);
    return this.marks;
  }
}

/**
 * From which branches of a fan-out nodes are reached, and how soon: up to where all of them have come together, or a run comes
 * to the fan-out again. Nodes are numbers, since every fan-out of a graph may lead through all of it. Counts until the room is
 * taken for another fan-out.
 */
export class BranchMarks {
  /** The nodes that come after the fan-out, the first of them behind which all branches are together. */
  readonly nodes: readonly number[];
  /** So many words of 32 branches for each node. */
  private readonly width: number;
  private readonly marks: Uint32Array;
  private readonly all: Uint32Array;

  constructor(
    readonly from: number,
    readonly branches: readonly number[],
    ways: NumberedWays,
    private readonly room: MarkRoom,
  ) {
    this.width = Math.ceil(branches.length / 32);
    this.all = new Uint32Array(this.width);
    this.marks = room.take(this.width);
    for (const [index, node] of branches.entries()) {
      const at = index >>> 5;
      const bit = 1 << (index & 31);
      this.marks[node * this.width + at] = bit;
      this.all[at] = (this.all[at] ?? 0) | bit;
    }
    this.nodes = this.spread(ways.next);
    this.marks.fill(0, from * this.width, (from + 1) * this.width);
    let place = 0;
    for (const node of this.nodes) {
      room.places[node] = ++place;
      room.joins[node] = this.hasAll(node) ? 1 : 0;
    }
    this.count(ways.usual);
  }

  /** Whether it is one of `nodes`. */
  isAfter(node: number): boolean {
    for (let at = 0; at < this.width; at++) if (this.word(node, at) !== 0) return true;
    return false;
  }

  /** The fewest steps from the fan-out, on the usual ways; 0 where none leads there. */
  stepsTo(node: number): number {
    return this.room.steps[node] ?? 0;
  }

  /** The number of its turn among `nodes`, from 1; 0 of others. */
  placeOf(node: number): number {
    return this.room.places[node] ?? 0;
  }

  /** Whether two nodes lie in branches of which neither leads to both, so that they run side by side. */
  areApart(one: number, other: number): boolean {
    if (!this.isAfter(one) || !this.isAfter(other)) return false;
    for (let at = 0; at < this.width; at++) if ((this.word(one, at) & this.word(other, at)) !== 0) return false;
    return true;
  }

  /** Whether every branch leads there. */
  isJoin(node: number): boolean {
    return this.room.joins[node] === 1;
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
    const reached = this.branches.filter((node) => node !== this.from);
    const queue = [...this.branches];
    const isWaiting = this.room.waiting;
    for (const node of queue) isWaiting[node] = 1;
    for (let at = 0; at < queue.length; at++) {
      const node = queue[at] ?? 0;
      isWaiting[node] = 0;
      if (node === this.from || this.hasAll(node)) continue;
      for (const to of next[node] ?? []) {
        if (to !== this.from && !this.isAfter(to)) reached.push(to);
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
      if (this.stepsTo(node) !== 0 || !this.isAfter(node)) return;
      this.room.steps[node] = step;
      queue.push(node);
    };
    for (const node of this.branches) come(node, 1);
    for (let at = 0; at < queue.length; at++) {
      const node = queue[at] ?? 0;
      if (!this.isJoin(node)) for (const to of usual[node] ?? []) come(to, this.stepsTo(node) + 1);
    }
  }
}
