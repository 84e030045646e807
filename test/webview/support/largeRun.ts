import type { GraphDrawing, GraphShape } from '../../../src/protocol/graphDrawing';
import type { GraphView } from '../../../src/protocol/graphPage';

/** Each node leads to the next one and to one further down. */
export function largeShape(count: number): GraphShape {
  const nodes = Array.from({ length: count }, (_, at) => `node_${at}`);
  const ways = nodes.flatMap((from, at) =>
    [at + 1, at + 2 + (at % 7)].flatMap((to) => {
      const end = nodes[to];
      return end === undefined ? [] : [{ from, to: end, kind: 'next' as const }];
    }),
  );
  return { start: 'node_0', nodes, ways };
}

/** A run of that graph in which nothing has run yet. */
export function largeRun({ start, nodes, ways }: GraphShape, drawing: GraphDrawing): GraphView {
  return {
    ...{ page: 'graph', name: 'large', start, ways, drawing, opened: [], problems: [], current: null, note: null },
    canRun: false,
    nodes: nodes.map((id) => ({ id, type: 'llm', description: '', isMissing: false })),
    run: {
      ...{ state: 'running', prompt: 'go', beganAt: 0, endedAt: null, tokens: 0, costUsd: 0, end: null, visits: [] },
      ...{ detail: null, comparison: null },
    },
  };
}
