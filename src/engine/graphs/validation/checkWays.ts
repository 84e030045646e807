import { type Edge, edgesOf } from '../edges';
import { removing, setting, yamlName } from '../format/readGraph';
import type { GraphNode } from '../graph';
import { type FilePlace, type GraphCheck, inNode, named, nodeItself, writtenOf } from './graphCheck';

/** Checks that targets exist, that every node has one where required, and that loops are limited. */
export function checkWays(check: GraphCheck): void {
  for (const node of check.graph.nodes.values()) {
    for (const edge of edgesOf(node)) checkTarget(edge, check);
    checkScriptTargets(node, check);
    checkNext(node, check);
  }
  checkLoops(check);
}

/** Checks what requires the whole graph: that it has an end, and that all nodes are connected to it and to the start. */
export function checkEnds(check: GraphCheck): void {
  const { graph, ways, found } = check;
  const ends = [...graph.nodes.values()].filter(({ type }) => type === 'end').map(({ id }) => id);
  if (ends.length === 0) {
    const message = 'The graph has no end, so it never finishes. Add an end node and route to it.';
    found.add('error', { where: ['nodes'], part: 'key' }, message);
  }
  const reached = reachedFromStart(check);
  for (const id of graph.nodes.keys()) {
    if (reached.has(id)) continue;
    const remedy = `Route a node to it, or remove it. If a script goes there, say so in a comment: # _next: ${id}`;
    found.add('warning', nodeItself(id), `Nothing leads to “${id}” from the start. ${remedy}`);
  }
  if (ends.length > 0) checkDeadEnds(check, ends, reached, ways.leadingTo([...ends, ...openNodes(check)]));
}

/** Returns the nodes that a run may reach, including those that scripts only mention. */
export function reachedFromStart({ graph, ways, found }: GraphCheck): ReadonlySet<string> {
  const reached = ways.reachedFrom([graph.start]).add(graph.start);
  const scripts = new Set<string>();
  for (const id of reached) {
    const node = graph.nodes.get(id);
    if (!ways.mayGoElsewhere(node) || scripts.has(node.script)) continue;
    scripts.add(node.script);
    if (!found.mayTake(graph.nodes.size)) return new Set(graph.nodes.keys());
    const more = [...graph.nodes.keys()].filter((one) => !reached.has(one) && ways.mayName(node, one));
    // Iterating the set also visits the nodes added here.
    for (const one of [...more, ...ways.reachedFrom(more)]) reached.add(one);
  }
  return reached;
}

function checkTarget(edge: Edge, { found, ids, fields, graph }: GraphCheck): void {
  if (graph.nodes.has(edge.to) || Object.hasOwn(fields.nodes, edge.to) || found.isFull) return;
  found.unknown('error', placeOfEdge(edge, { fields }), {
    written: edge.to,
    says: `“${fieldOf(edge)}” names the node “${edge.to}”, which does not exist.`,
    known: ids,
    remedy: `The nodes are ${named(ids)}.`,
  });
}

/** Returns where an edge is written. */
function placeOfEdge(edge: Edge, check: Pick<GraphCheck, 'fields'>): FilePlace {
  switch (edge.kind) {
    case 'next': {
      const next = writtenOf(check, edge.from, 'next');
      return Array.isArray(next) ? inNode(edge.from, 'next', next.indexOf(edge.to)) : inNode(edge.from, 'next');
    }
    case 'route':
      return inNode(edge.from, 'routes', edge.label ?? '');
    case 'other':
      return inNode(edge.from, 'on_other');
    case 'fallback':
    case 'branch':
      return inNode(edge.from, edge.kind);
  }
}

function fieldOf({ kind, label }: Edge): string {
  if (kind === 'route') return `routes.${label ?? ''}`;
  return kind === 'other' ? 'on_other' : kind;
}

function checkScriptTargets(node: GraphNode, { ways, found, fields, ids }: GraphCheck): void {
  for (const { id, line } of ways.targetsToldBy(node)) {
    if (node.type !== 'script' || Object.hasOwn(fields.nodes, id)) continue;
    found.unknown('warning', inNode(node.id, 'script'), {
      written: id,
      says: `Line ${line} of ${node.script} continues with “${id}”, which does not exist.`,
      known: ids,
      remedy: 'Correct the script, or add the node.',
    });
  }
}

function checkNext(node: GraphNode, check: GraphCheck): void {
  const { ways, found } = check;
  if (node.type === 'end' || node.type === 'approval') {
    const isWritten = (writtenOf(check, node.id, 'next') ?? null) !== null;
    const instead =
      node.type === 'end' ? 'An end has no next node' : 'An approval continues by “routes” and “on_other”';
    if (isWritten) {
      const place: FilePlace = { ...inNode(node.id, 'next'), part: 'key' };
      found.add('warning', place, `${instead}; remove “next”.`, removing(node.id, 'next'));
    }
    return;
  }
  if (node.next.length === 0 && mustGoOn(node, check)) {
    const isScript = node.type === 'script' && !ways.mayGoElsewhere(node);
    const or = isScript ? ', or have the script print “_next”' : '';
    found.add(
      found.hole,
      nodeItself(node.id),
      `“${node.id}” has no “next”, so the run fails there. Write “next”${or}.`,
      ...likelyNext(node, check).map((id) => setting(['nodes', node.id, 'next'], yamlName(id))),
    );
  }
  if (node.type === 'input' && node.next.length > 1) {
    const [first = ''] = node.next;
    const message = `After a question only the first node of “next” is used, “${first}”. Remove the others.`;
    found.add('warning', inNode(node.id, 'next', 1), message);
  }
}

/** Suggests the next node in the file, and an end if that is a different node. */
function likelyNext({ id }: GraphNode, { graph, ids, branches }: GraphCheck): string[] {
  const others = ids.slice(ids.indexOf(id) + 1).filter((one) => !branches.has(one));
  const end = [...graph.nodes.values()].find(({ type }) => type === 'end');
  return [...new Set([...others.slice(0, 1), ...(end ? [end.id] : [])])];
}

/** Whether the node needs a `next`: a map's branch does not, and a script may choose its targets itself. */
function mustGoOn(node: GraphNode, { branches, ways }: GraphCheck): boolean {
  if (node.type === 'script') {
    const { declared, mayGoElsewhere } = ways.ofScript(node);
    if (mayGoElsewhere || declared !== undefined) return false;
  }
  return !branches.has(node.id);
}

/** Maximum number of nodes shown for a loop. */
const SHOWN = 10;

function checkLoops(check: GraphCheck): void {
  const { graph, found, fields } = check;
  const isOriginal = graph.version === '1.0';
  if (!isOriginal && typeof fields.settings?.max_loop_iterations === 'number') return;
  const isBounded = (id: string) => !isOriginal && graph.nodes.get(id)?.maxVisits !== undefined;
  const edgesFrom = (id: string) => {
    const node = graph.nodes.get(id);
    return node && !isBounded(id) ? edgesOf(node).filter(({ to }) => graph.nodes.has(to) && !isBounded(to)) : [];
  };
  for (const { path, closing } of loopsIn(graph.nodes.keys(), edgesFrom)) {
    const round = path.length > SHOWN ? [...path.slice(0, SHOWN), '…', closing.to] : [...path, closing.to];
    const remedy = isOriginal
      ? 'In version 1.0 only a script can loop, with “_next”. Write version: "1.1" and give one of these nodes “max_visits”.'
      : 'Give one of these nodes “max_visits”, or write settings.max_loop_iterations.';
    found.add('error', placeOfEdge(closing, check), `Nothing limits the loop ${round.join(' → ')}. ${remedy}`);
  }
}

/** Returns the nodes after which the path is unknown: their targets do not exist, or only a script determines them. */
export function openNodes({ graph, ways }: GraphCheck): string[] {
  return [...graph.nodes.values()]
    .filter((node) => {
      if (node.type === 'end') return false;
      const isBroken = edgesOf(node).some(({ to, kind }) => kind !== 'branch' && !graph.nodes.has(to));
      return isBroken || ways.mayGoElsewhere(node) || ways.from(node.id).length === 0;
    })
    .map(({ id }) => id);
}

function checkDeadEnds(
  { graph, ways, found }: GraphCheck,
  ends: readonly string[],
  reached: ReadonlySet<string>,
  leading: ReadonlySet<string>,
): void {
  if (!leading.has(graph.start)) {
    const message = `No end can be reached from the start. Route a node to ${named(ends)}.`;
    found.add('warning', { where: ['start'] }, message);
    return;
  }
  const before = [...leading].filter((id) => reached.has(id));
  const first = new Set(before.flatMap((id) => ways.from(id)).filter((id) => !leading.has(id)));
  for (const id of first) {
    const message = `No end can be reached from “${id}”. Route one of the nodes after it to ${named(ends)}.`;
    found.add('warning', nodeItself(id), message);
  }
}

interface Loop {
  /** The nodes of the loop, once each; only the first ones of a long loop. */
  readonly path: readonly string[];
  /** The edge from the last node back to the first. */
  readonly closing: Edge;
}

/** Maximum number of nodes stored per loop, since loops are only shown to people. */
const MOST = 20;

interface Visit {
  readonly id: string;
  readonly edges: readonly Edge[];
  next: number;
}

/** Returns one loop for each edge that closes one; without these edges the graph has no loops. */
function loopsIn(ids: Iterable<string>, edgesFrom: (id: string) => readonly Edge[]): Loop[] {
  const loops: Loop[] = [];
  const done = new Set<string>();
  for (const start of ids) {
    if (done.has(start)) continue;
    const path: Visit[] = [{ id: start, edges: edgesFrom(start), next: 0 }];
    const depths = new Map([[start, 0]]);
    for (let at = path.at(-1); at; at = path.at(-1)) {
      const edge = at.edges[at.next++];
      if (!edge) {
        path.pop();
        depths.delete(at.id);
        done.add(at.id);
        continue;
      }
      const depth = depths.get(edge.to);
      if (depth !== undefined) loops.push({ path: path.slice(depth, depth + MOST).map(({ id }) => id), closing: edge });
      else if (!done.has(edge.to)) {
        depths.set(edge.to, path.length);
        path.push({ id: edge.to, edges: edgesFrom(edge.to), next: 0 });
      }
    }
  }
  return loops;
}
