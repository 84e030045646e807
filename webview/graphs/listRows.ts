import type { GraphView } from '../../src/protocol/graphPage';

export interface ListRow {
  readonly id: string;
  /** Indentation level, increased by one for each of several alternative ways. */
  readonly depth: number;
}

/** Deeper levels would not fit. */
const DEEPEST = 10;

/** Returns each node once, in the order a run may reach it; unreachable nodes come last. */
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
