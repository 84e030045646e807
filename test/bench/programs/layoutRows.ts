import { layoutGraph } from '../../../src/host/graphs/layout/layoutGraph';
import { type DrawnWay, type GraphShape, MOST_BOXES } from '../../../src/protocol/graphDrawing';
import { median, rangeOf } from '../median';
import type { Row } from '../row';

/**
 * Usage: node layoutRows.mjs ROUNDS
 *
 * Measures the layout of a graph with the maximum number of nodes that are drawn individually, and of one with 500, which are
 * grouped: each node leads to the next one and to one further down, and every twentieth also leads back. In the editor, layout
 * runs on its own thread.
 */
function measureLayout(rounds: number): Row[] {
  return [MOST_BOXES, 500].map((count): Row => {
    const shape = graphOf(count);
    const times: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const began = performance.now();
      const { boxes } = layoutGraph(shape);
      if (boxes.length > MOST_BOXES) throw new Error(`${boxes.length} boxes were drawn.`);
      if (round >= 0) times.push(performance.now() - began);
    }
    const what = `the layout of a graph of ${count} nodes`;
    return { what, value: median(times), range: rangeOf(times), unit: 'ms', digits: 0, budget: 1000 };
  });
}

function graphOf(count: number): GraphShape {
  const nodes = Array.from({ length: count }, (_, at) => `node_${at}`);
  const way = (from: number, to: number): DrawnWay[] => {
    const [start, end] = [nodes[from], nodes[to]];
    return start === undefined || end === undefined ? [] : [{ from: start, to: end, kind: 'next' }];
  };
  const ways = nodes.flatMap((_, at) => [
    ...way(at, at + 1),
    ...way(at, at + 2 + (at % 7)),
    ...(at % 20 === 19 ? way(at, at - 12) : []),
  ]);
  return { start: 'node_0', nodes, ways };
}

const [rounds = ''] = process.argv.slice(2);
console.log(JSON.stringify(measureLayout(Number(rounds))));
