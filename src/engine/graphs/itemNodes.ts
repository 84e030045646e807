import type { Graph, GraphNode, MapNode } from './graph';

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
