import { edgesOf } from '../edges';
import { setting } from '../format/readGraph';
import type { GraphNode } from '../graph';
import { fanOutOf, placeOfWrite } from './checkFanOuts';
import { writtenKeys } from './checkTemplates';
import { openNodes } from './checkWays';
import { type GraphCheck, nodeItself } from './graphCheck';

/** Checks how branches of a fan-out interfere after their first nodes: parallel writes, and joins and ends that do not wait. */
export function checkBranches(check: GraphCheck): void {
  const { graph, found, ways } = check;
  const nodes = [...graph.nodes.values()];
  if (!nodes.some((node) => fanOutOf(node, check).length > 1)) return;
  const telling = tellingOf(check, nodes);
  const room = new MarkRoom(nodes.length);
  const size = telling.usual.reduce((sum, targets) => sum + targets.length + 1, 0);
  for (const node of nodes) {
    const branches = fanOutOf(node, check).map(({ id }) => ways.numberOf(id));
    if (branches.length < 2) continue;
    if (!found.mayTake(size * Math.ceil(branches.length / 32) * 4)) return;
    const marks = new BranchMarks(ways.numberOf(node.id), branches, telling, room);
    if (telling.hasShared) checkWritesApart(marks, telling);
    checkJoins(marks, telling);
  }
}

/** Shared by the checks of all fan-outs. Nodes are numbers, in file order. */
interface Telling extends NumberedWays {
  readonly check: GraphCheck;
  readonly nodes: readonly GraphNode[];
  /** The predecessors of each node along the usual edges. */
  readonly before: readonly (readonly number[])[];
  /** The keys of each node without a reducer that other nodes also write. */
  readonly shared: readonly (readonly string[])[];
  readonly hasShared: boolean;
  /** Nodes after which the path is unknown. */
  readonly open: Uint8Array;
  /** Each key and each node is reported once, however many fan-outs lead to it. */
  readonly toldKeys: Set<string>;
  /** Nodes that several branches lead to, or that end the graph, and that have not been reported yet. */
  readonly untold: Set<number>;
}

function tellingOf(check: GraphCheck, nodes: readonly GraphNode[]): Telling {
  const { ways } = check;
  const numbers = (ids: readonly string[]) => ids.map((id) => ways.numberOf(id));
  const usual = nodes.map((node) => numbers(usualWays(node, check)));
  const before = nodes.map((): number[] => []);
  for (const [from, targets] of usual.entries()) for (const to of targets) before[to]?.push(from);
  const shared = sharedKeys(check, nodes);
  const untold = [...nodes.entries()].filter(
    ([at, { type, joinsAll }]) => !joinsAll && (type === 'end' || (before[at] ?? []).length > 1),
  );
  const open = new Uint8Array(nodes.length);
  for (const number of numbers(openNodes(check))) open[number] = 1;
  return {
    check,
    nodes,
    next: nodes.map(({ id }) => numbers(ways.from(id))),
    usual,
    before,
    shared,
    hasShared: shared.some((keys) => keys.length > 0),
    open,
    toldKeys: new Set(),
    untold: new Set(untold.map(([at]) => at)),
  };
}

function sharedKeys({ graph, branches }: GraphCheck, nodes: readonly GraphNode[]): (readonly string[])[] {
  const writers = new Map<string, number>();
  const written = nodes.map((node) =>
    branches.has(node.id) ? [] : [...writtenKeys(node)].filter((key) => !graph.reducers.has(key)),
  );
  for (const keys of written) for (const key of keys) writers.set(key, (writers.get(key) ?? 0) + 1);
  return written.map((keys) => keys.filter((key) => (writers.get(key) ?? 0) > 1));
}

function usualWays(node: GraphNode, { graph }: GraphCheck): string[] {
  return edgesOf(node)
    .filter(({ kind, to }) => kind !== 'branch' && kind !== 'fallback' && graph.nodes.has(to))
    .map(({ to }) => to);
}

function checkWritesApart(marks: BranchMarks, { check, nodes, shared, toldKeys }: Telling): void {
  const writers = new Map<string, number[]>();
  for (const node of marks.nodes) {
    for (const key of shared[node] ?? []) {
      if (toldKeys.has(key)) continue;
      const others = writers.get(key);
      if (others) others.push(node);
      else writers.set(key, [node]);
    }
  }
  for (const [key, all] of writers) {
    const [one, later] = firstApart(all, marks)?.map((node) => nodes[node]) ?? [];
    if (!one || !later) continue;
    toldKeys.add(key);
    const remedy = 'Give it a reducer at the top, or have each node write its own key.';
    const message = `“${one.id}” and “${later.id}” both write “${key}” in branches of “${nodes[marks.from]?.id ?? ''}” that run in parallel, so the run fails or one value is lost. ${remedy}`;
    check.found.add('warning', placeOfWrite(later, key), message);
  }
}

/** Returns two of the nodes that run in parallel, other than two that the fan-out itself starts. */
function firstApart(nodes: readonly number[], marks: BranchMarks): readonly [number, number] | undefined {
  const first = new Map<number | string, number[]>();
  for (const node of nodes) {
    const key = marks.keyOf(node);
    const same = first.get(key);
    if (!same) first.set(key, [node]);
    // Two nodes per group suffice: one that the fan-out starts directly, and one that it does not.
    else if (same.length === 1) same.push(node);
  }
  const groups = [...first.values()].slice(0, MOST_GROUPS);
  const isDirect = (node: number) => marks.branches.includes(node);
  for (const [index, group] of groups.entries()) {
    for (const other of groups.slice(index + 1)) {
      for (const one of group) {
        const two = other.find((node) => !isDirect(one) || !isDirect(node));
        if (two !== undefined && marks.areApart(one, two)) return [one, two];
      }
    }
  }
  return undefined;
}

/** Limits how many groups are compared with each other. */
const MOST_GROUPS = 64;

/** A node that several branches reach runs when the first of them reaches it, and again for each later one. */
function checkJoins(marks: BranchMarks, telling: Telling): void {
  const { check, nodes, open, untold } = telling;
  for (const to of untold) {
    const node = nodes[to];
    const before = telling.before[to] ?? [];
    if (!node || !before.some((from) => isWithin(from, marks))) continue;
    const uneven = unevenPair(to, marks, before);
    const isLost = () => node.type === 'end' && !marks.isJoin(to) && marks.nodes.every((one) => open[one] !== 1);
    if (uneven) tellUneven(node, [nodes[uneven.soon], nodes[uneven.late]], check);
    else if (isLost()) tellLost(node, nodes[marks.from], check);
    else continue;
    untold.delete(to);
  }
}

/** Whether a node comes after the fan-out but not after all of its branches, where the nodes are shared by all of them. */
function isWithin(node: number, marks: BranchMarks): boolean {
  return marks.placeOf(node) > 0 && !marks.isJoin(node);
}

/** Node numbers. */
interface Uneven {
  readonly soon: number;
  readonly late: number;
}

/** `before`: the nodes whose usual edges lead to the node. Allocates no lists, because it is called for every node and fan-out. */
function unevenPair(to: number, marks: BranchMarks, before: readonly number[]): Uneven | undefined {
  if (before.length < 2) return undefined;
  const isSource = (node: number) => node !== to && isWithin(node, marks) && marks.stepsTo(node) > 0;
  const first = (node: number, than: number | undefined) =>
    than === undefined || marks.placeOf(node) < marks.placeOf(than);
  if (marks.branches.includes(to)) {
    let again: number | undefined;
    for (const node of before) if (isSource(node) && first(node, again) && !marks.isIn(to, node)) again = node;
    return again === undefined ? undefined : { soon: marks.from, late: again };
  }
  let soon: number | undefined;
  for (const node of before) {
    const sooner = soon === undefined ? -1 : marks.stepsTo(node) - marks.stepsTo(soon);
    if (sooner <= 0 && isSource(node) && (sooner < 0 || first(node, soon))) soon = node;
  }
  if (soon === undefined) return undefined;
  const steps = marks.stepsTo(soon);
  let late: number | undefined;
  for (const node of before) {
    if (marks.stepsTo(node) > steps && isSource(node) && first(node, late) && marks.areApart(node, soon)) late = node;
  }
  return late === undefined ? undefined : { soon, late };
}

type Maybe = GraphNode | undefined;

function tellUneven(node: GraphNode, [soon, late]: readonly [Maybe, Maybe], { graph, found }: GraphCheck): void {
  const cures = graph.version === '1.0' ? [] : [setting(['nodes', node.id, 'join'], 'all')];
  const happens =
    node.type === 'end'
      ? `“${node.id}” ends the graph when “${soon?.id}” comes to it, though “${late?.id}” comes later; what that branch does is lost.`
      : `“${node.id}” runs after “${soon?.id}” and again after “${late?.id}”, whose branch is longer.`;
  const join = graph.version === '1.0' ? 'Write version: "1.1" and “join: all” here' : 'Write “join: all” here';
  found.add('warning', nodeItself(node.id), `${happens} ${join}, so that it waits for all branches.`, ...cures);
}

function tellLost({ id }: GraphNode, from: Maybe, { found }: GraphCheck): void {
  const remedy = 'Join the branches before it.';
  const message = `“${id}” ends the graph while other branches of “${from?.id}” may still run; their work is lost. ${remedy}`;
  found.add('warning', nodeItself(id), message);
}

/** The edges of a graph, by node number. Nodes are numbered in file order. */
interface NumberedWays {
  readonly next: readonly (readonly number[])[];
  /** Without edges that are only taken on failure. */
  readonly usual: readonly (readonly number[])[];
}

/** Storage for marks, reused for each fan-out, because allocating thousands of lists would dominate the work. */
class MarkRoom {
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
class BranchMarks {
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
