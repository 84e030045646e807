import { edgesOf } from '../edges';
import type { GraphNode } from '../graph';
import { BranchMarks } from './branchMarks';
import { fanOutOf, placeOfWrite } from './checkFanOuts';
import { openNodes } from './checkWays';
import { type GraphCheck, nodeItself } from './graphCheck';
import { writtenKeys } from './templatesOf';
import { setting } from '../format/remedies';

/** What branches do to each other further down: writes side by side, joins that do not wait, ends that do not either. */
export function checkBranches(check: GraphCheck): void {
  const { graph, ways, found } = check;
  const shared = sharedKeys(check);
  const usual = new Map([...graph.nodes.values()].map((node) => [node.id, usualWays(node, check)]));
  const telling = { check, told: new Set<string>(), open: new Set(openNodes(check)) };
  const size = [...usual.values()].reduce((sum, targets) => sum + targets.length + 1, 0);
  for (const node of graph.nodes.values()) {
    const branches = fanOutOf(node, check).map(({ id }) => id);
    if (branches.length < 2) continue;
    if (!found.mayTake(size * Math.ceil(branches.length / 32) * 4)) return;
    const marks = new BranchMarks(
      node,
      branches,
      (id) => ways.from(id),
      (id) => usual.get(id) ?? [],
    );
    checkWritesApart(marks, shared, telling);
    checkJoins(marks, usual, telling);
  }
}

/** What one is told of once, however many fan-outs lead to it. */
interface Telling {
  readonly check: GraphCheck;
  readonly told: Set<string>;
  /** Nodes behind which nobody knows what comes. */
  readonly open: ReadonlySet<string>;
}

/** Of each node the keys without a reducer that others write as well. */
function sharedKeys({ graph, branches }: GraphCheck): ReadonlyMap<string, readonly string[]> {
  const writers = new Map<string, number>();
  const written = [...graph.nodes.values()]
    .filter(({ id }) => !branches.has(id))
    .map((node) => [node.id, [...writtenKeys(node)].filter((key) => !graph.reducers.has(key))] as const);
  for (const [, keys] of written) for (const key of keys) writers.set(key, (writers.get(key) ?? 0) + 1);
  return new Map(written.map(([id, keys]) => [id, keys.filter((key) => (writers.get(key) ?? 0) > 1)]));
}

function usualWays(node: GraphNode, { graph }: GraphCheck): string[] {
  return edgesOf(node)
    .filter(({ kind, to }) => kind !== 'branch' && kind !== 'fallback' && graph.nodes.has(to))
    .map(({ to }) => to);
}

function checkWritesApart(marks: BranchMarks, shared: ReadonlyMap<string, readonly string[]>, telling: Telling): void {
  const { check, told } = telling;
  const writers = new Map<string, string[]>();
  for (const id of marks.nodes) {
    for (const key of shared.get(id) ?? []) {
      const others = writers.get(key);
      if (others) others.push(id);
      else writers.set(key, [id]);
    }
  }
  for (const [key, ids] of writers) {
    const pair = told.has(`write ${key}`) ? undefined : firstApart(ids, marks);
    const later = pair && check.graph.nodes.get(pair[1]);
    if (!pair || !later) continue;
    told.add(`write ${key}`);
    const remedy = 'Give it a reducer at the top, or let each write its own key.';
    const message = `“${pair[0]}” and “${pair[1]}” both write “${key}” in branches of “${marks.from.id}” that run side by side, so the run fails or one value is lost. ${remedy}`;
    check.found.add('warning', placeOfWrite(later, key), message);
  }
}

/** Two of the nodes that run side by side, but not those that the fan-out itself starts. */
function firstApart(ids: readonly string[], marks: BranchMarks): readonly [string, string] | undefined {
  const first = new Map<string, string[]>();
  for (const id of ids) {
    const key = marks.keyOf(id);
    const same = first.get(key);
    if (!same) first.set(key, [id]);
    // One that is started at once and one that is not.
    else if (same.length === 1) same.push(id);
  }
  const groups = [...first.values()].slice(0, MOST_GROUPS);
  const isDirect = (id: string) => marks.branches.includes(id);
  for (const [index, group] of groups.entries()) {
    for (const other of groups.slice(index + 1)) {
      for (const one of group) {
        const two = other.find((id) => !isDirect(one) || !isDirect(id));
        if (two !== undefined && marks.areApart(one, two)) return [one, two];
      }
    }
  }
  return undefined;
}

/** More are not compared with each other. */
const MOST_GROUPS = 64;

/** A node that several branches lead to runs when the first of them comes to it, and again for each that comes later. */
function checkJoins(
  marks: BranchMarks,
  usual: ReadonlyMap<string, readonly string[]>,
  { check, told, open }: Telling,
): void {
  const { graph, found } = check;
  const isKnown = [...marks.nodes].every((id) => !open.has(id));
  const before = new Map<string, string[]>();
  for (const id of marks.nodes) {
    // What comes behind all branches is theirs together.
    for (const to of marks.isJoin(id) ? [] : (usual.get(id) ?? [])) {
      const others = before.get(to);
      if (others) others.push(id);
      else before.set(to, [id]);
    }
  }
  for (const [id, sources] of before) {
    const node = graph.nodes.get(id);
    if (!node || told.has(`join ${id}`) || node.joinsAll) continue;
    const uneven = unevenPair(id, sources, marks);
    if (uneven) {
      told.add(`join ${id}`);
      const cures = graph.version === '1.0' ? [] : [setting(['nodes', id, 'join'], 'all')];
      found.add('warning', nodeItself(id), joinText(node, uneven, check), ...cures);
    } else if (isKnown && node.type === 'end' && !marks.isJoin(id)) {
      told.add(`join ${id}`);
      const remedy = 'Bring the branches together before it.';
      const message = `“${id}” ends the graph while other branches of “${marks.from.id}” may still run; what they do is lost. ${remedy}`;
      found.add('warning', nodeItself(id), message);
    }
  }
}

interface Uneven {
  readonly soon: string;
  readonly late: string;
}

function unevenPair(id: string, sources: readonly string[], marks: BranchMarks): Uneven | undefined {
  const known = sources.flatMap((source) => {
    const steps = marks.stepsTo(source);
    return steps === undefined || source === id ? [] : [{ source, steps }];
  });
  if (marks.branches.includes(id)) {
    const again = known.find(({ source }) => !marks.isIn(id, source));
    return again && { soon: marks.from.id, late: again.source };
  }
  const [soon] = known.toSorted((a, b) => a.steps - b.steps);
  const late = soon && known.find(({ source, steps }) => steps > soon.steps && marks.areApart(source, soon.source));
  return late && { soon: soon.source, late: late.source };
}

function joinText({ id, type }: GraphNode, { soon, late }: Uneven, { graph }: GraphCheck): string {
  const happens =
    type === 'end'
      ? `“${id}” ends the graph when “${soon}” comes to it, though “${late}” comes later; what that branch does is lost.`
      : `“${id}” runs after “${soon}” and again after “${late}”, whose branch is longer.`;
  const join = graph.version === '1.0' ? 'Write version: "1.1" and “join: all” here' : 'Write “join: all” here';
  return `${happens} ${join}, so that it waits for all branches.`;
}
