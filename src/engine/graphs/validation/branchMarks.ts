/** The edges of a graph, by node number. Nodes are numbered in file order. */
export interface NumberedWays {
  readonly next: readonly (readonly number[])[];
  /** Without edges that are only taken on failure. */
  readonly usual: readonly (readonly number[])[];
}

/** Storage for marks, reused for each fan-out, because allocating thousands of lists would dominate the work. */
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

  /** Clears the storage and reserves `width` words for each node. */
  take(width: number): Uint32Array {
    for (const list of [this.steps, this.places, this.joins, this.waiting]) list.fill(0);
    const length = this.size * width;
    if (this.marks.length < length) this.marks = new Uint32Array(length);
    else this.marks.fill(0, 0, length);
    return this.marks;
  }
}

/**
 * Which branches of a fan-out reach each node, and how soon, up to where all of them have joined or the run returns to the
 * fan-out. Nodes are numbers, because every fan-out of a graph may lead through all of it. Valid until the storage is taken for
 * another fan-out.
 */
export class BranchMarks {
  /** The nodes reached after the fan-out, up to and including the first ones that all branches reach. */
  readonly nodes: readonly number[];
  /** Number of 32-bit words with one bit per branch, for each node. */
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

  /** Whether the node is one of `nodes`. */
  isAfter(node: number): boolean {
    for (let at = 0; at < this.width; at++) if (this.word(node, at) !== 0) return true;
    return false;
  }

  /** Returns the least number of steps from the fan-out along the usual edges; 0 if no path leads to the node. */
  stepsTo(node: number): number {
    return this.room.steps[node] ?? 0;
  }

  /** Returns the node's position in `nodes`, from 1; 0 if it is not in it. */
  placeOf(node: number): number {
    return this.room.places[node] ?? 0;
  }

  /** Whether two nodes share no branch, so that they run in parallel. */
  areApart(one: number, other: number): boolean {
    if (!this.isAfter(one) || !this.isAfter(other)) return false;
    for (let at = 0; at < this.width; at++) if ((this.word(one, at) & this.word(other, at)) !== 0) return false;
    return true;
  }

  /** Whether every branch reaches the node. */
  isJoin(node: number): boolean {
    return this.room.joins[node] === 1;
  }

  /** Whether a branch, given by its first node, reaches a node. */
  isIn(branch: number, node: number): boolean {
    const index = this.branches.indexOf(branch);
    return (this.word(node, index >>> 5) & (1 << (index & 31))) !== 0;
  }

  /** Returns a key that is equal for nodes with the same marks. */
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

  /** Spreads the marks, and returns the reached nodes in order. */
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

  /** Returns false if the target already had all marks of the node. */
  private add(node: number, to: number): boolean {
    let isNew = false;
    for (let at = 0; at < this.width; at++) {
      const before = this.word(to, at);
      // Bitwise operations return signed numbers, while the array stores unsigned ones.
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
