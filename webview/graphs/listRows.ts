import type { GraphView } from '../../src/protocol/graphPage';

export interface ListRow {
  readonly id: string;
  /** How far in it stands: one further for what is one of several ways. */
  readonly depth: number;
}

/** Further in, nothing would have room. */
const DEEPEST = 10;

/** Every node once, in the order in which a run may come to it; what no way leads to comes last. */
export function listRows({ start, nodes, ways }: Pick<GraphView, 'start' | 'nodes' | 'ways'>): ListRow[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of ways) {
    const known = next.get(from);
    if (known) known.push(to);
    else next.set(from, [to]);
  }
  const left = new Set(nodes.map(({ id }) => id));
  const rows: ListRow[] = [];
  for (const root of [start, ...left]) {
    const waiting = [{ id: root, depth: 0 }];
    for (let row = waiting.pop(); row; row = waiting.pop()) {
      if (!left.delete(row.id)) continue;
      rows.push(row);
      const after = [...new Set(next.get(row.id))].filter((id) => left.has(id));
      const depth = after.length > 1 ? Math.min(DEEPEST, row.depth + 1) : row.depth;
      for (const id of after.reverse()) waiting.push({ id, depth });
    }
  }
  return rows;
}
