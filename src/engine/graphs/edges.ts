import type { Graph, GraphNode } from './graph';

/** A way out of a node that its file declares. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  /** `next`, or by what else it is taken; of an approval the answer stands in `label`. */
  readonly kind: 'next' | 'route' | 'other' | 'fallback' | 'branch';
  readonly label?: string;
}

/** The declared ways out of a node. Scripts may also say others while they run. */
export function edgesOf(node: GraphNode): Edge[] {
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

/**
 * Where a run may come from each node, by declared edges; a map goes on after its branches, which are no way out. A script that
 * declares no way says while it runs where it goes on, which may be anywhere.
 */
export class Reach {
  private readonly known = new Map<string, ReadonlySet<string>>();

  constructor(private readonly graph: Pick<Graph, 'nodes'>) {}

  from(id: string): ReadonlySet<string> {
    const before = this.known.get(id);
    if (before) return before;
    const reached = new Set<string>();
    const waiting = [id];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const node = this.graph.nodes.get(at);
      const ways = node ? edgesOf(node).flatMap(({ to, kind }) => (kind === 'branch' ? [] : [to])) : [];
      for (const to of node?.type === 'script' && node.next.length === 0 ? this.graph.nodes.keys() : ways) {
        if (reached.has(to)) continue;
        reached.add(to);
        waiting.push(to);
      }
    }
    this.known.set(id, reached);
    return reached;
  }
}
