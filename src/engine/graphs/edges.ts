import type { Graph, GraphNode, MapNode, ScriptNode } from './graph';

/** A declared edge from one node to another. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  /** How the edge is taken; for an approval, `label` is the answer. */
  readonly kind: 'next' | 'route' | 'other' | 'fallback' | 'branch';
  readonly label?: string;
}

/** A check and each step of a run look up the edges of the same nodes again and again. */
const known = new WeakMap<GraphNode, readonly Edge[]>();

/** Returns the declared edges of a node. Scripts may choose other targets at run time. */
export function edgesOf(node: GraphNode): readonly Edge[] {
  const edges = known.get(node) ?? declaredBy(node);
  known.set(node, edges);
  return edges;
}

function declaredBy(node: GraphNode): Edge[] {
  const edge = (to: string, kind: Edge['kind'], label?: string): Edge => ({
    from: node.id,
    to,
    kind,
    ...(label !== undefined && { label }),
  });
  switch (node.type) {
    case 'end':
      return [];
    case 'approval':
      return [...[...node.routes].map(([answer, to]) => edge(to, 'route', answer)), edge(node.onOther, 'other')];
    case 'map':
      return [edge(node.branch, 'branch'), ...node.next.map((to) => edge(to, 'next'))];
    case 'script':
    case 'command':
    case 'llm':
      return [
        ...node.next.map((to) => edge(to, 'next')),
        ...(node.fallback === undefined ? [] : [edge(node.fallback, 'fallback')]),
      ];
    case 'input':
    case 'agent':
    case 'rag':
      return node.next.map((to) => edge(to, 'next'));
  }
}

/** Returns the targets of a node's edges. The branch of a map is not one: a map continues after its items. */
export function waysOut(node: GraphNode): string[] {
  return edgesOf(node).flatMap(({ to, kind }) => (kind === 'branch' ? [] : [to]));
}

/** Maps a script's path to the nodes that its `_next` may name. A script that is missing here may go anywhere. */
export type ScriptTargets = ReadonlyMap<string, readonly string[]>;

/**
 * Which nodes a run can come from to reach each node. A map continues after its branches, so these are no way out of it. A script
 * chooses the next node while it runs, which can be any node unless its text narrows it down.
 */
export class Reach {
  private readonly declaredFrom = new Map<string, ReadonlySet<string>>();
  private readonly possibleFrom = new Map<string, ReadonlySet<string>>();
  private readonly everywhere: ReadonlySet<string>;

  constructor(
    private readonly graph: Pick<Graph, 'nodes'>,
    private readonly scripts: ScriptTargets = new Map(),
  ) {
    this.everywhere = new Set(graph.nodes.keys());
  }

  /** Returns the nodes reachable by declared edges; all nodes if a script declares none. */
  declared(id: string): ReadonlySet<string> {
    return this.reached(id, this.declaredFrom, (node) => this.mayGoAnywhere(node) && node.next.length === 0);
  }

  /** Also considers targets that scripts may choose instead of those declared. */
  possible(id: string): ReadonlySet<string> {
    return this.reached(id, this.possibleFrom, (node) => this.mayGoAnywhere(node));
  }

  private mayGoAnywhere(node: GraphNode): node is ScriptNode {
    return node.type === 'script' && !this.scripts.has(node.script);
  }

  private reached(
    id: string,
    known: Map<string, ReadonlySet<string>>,
    mayGoAnywhere: (node: GraphNode) => boolean,
  ): ReadonlySet<string> {
    const before = known.get(id);
    if (before) return before;
    const reached = new Set<string>();
    const waiting = [id];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const node = this.graph.nodes.get(at);
      if (!node) continue;
      if (mayGoAnywhere(node)) {
        known.set(id, this.everywhere);
        return this.everywhere;
      }
      const told = node.type === 'script' ? (this.scripts.get(node.script) ?? []) : [];
      for (const to of [...waysOut(node), ...told]) {
        if (reached.has(to)) continue;
        reached.add(to);
        waiting.push(to);
      }
    }
    known.set(id, reached);
    return reached;
  }
}

/**
 * Returns the nodes that a map may run for an item: its branch, followed by the chain of fallbacks, each once. The chain ends at
 * a `fallback` of an unsupported type or with a `next` of its own; the item's value is then the reason for the failure.
 */
export function itemNodes({ branch }: Pick<MapNode, 'branch'>, { nodes }: Pick<Graph, 'nodes'>): GraphNode[] {
  return [...addItemNodes(new Set(), branch, nodes)];
}

/**
 * Returns the nodes that run only for the items of maps and that a run cannot reach otherwise. `ways`: returns the nodes that
 * follow a node.
 */
export function nodesForItemsOnly(
  { start, nodes }: Pick<Graph, 'start' | 'nodes'>,
  ways: (node: GraphNode) => readonly string[],
): ReadonlySet<string> {
  const all = new Set<GraphNode>();
  for (const node of nodes.values()) if (node.type === 'map') addItemNodes(all, node.branch, nodes);
  const left = new Set([...all].map(({ id }) => id));
  const waiting = [start, ...[...nodes.keys()].filter((id) => !left.has(id))];
  left.delete(start);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const node = nodes.get(id);
    for (const to of node ? ways(node) : []) if (left.delete(to)) waiting.push(to);
  }
  return left;
}

function addItemNodes(found: Set<GraphNode>, branch: string, nodes: Graph['nodes']): Set<GraphNode> {
  for (let node = nodes.get(branch); node && !found.has(node);) {
    found.add(node);
    const instead = nodes.get(fallbackOf(node) ?? '');
    node = instead && isForItems(instead) ? instead : undefined;
  }
  return found;
}

/** Returns the node that follows if this one fails. */
export function fallbackOf(node: GraphNode): string | undefined {
  return node.type === 'script' || node.type === 'command' || node.type === 'llm' ? node.fallback : undefined;
}

function isForItems(node: GraphNode): boolean {
  switch (node.type) {
    case 'script':
    case 'command':
    case 'llm':
    case 'agent':
    case 'rag':
      return node.next.length === 0;
    case 'map':
    case 'input':
    case 'approval':
    case 'end':
      return false;
  }
}
