import { layoutGraph } from '../../../src/host/graphs/layout/layoutGraph';
import { type DrawnWay, type GraphShape, MOST_BOXES } from '../../../src/protocol/graphDrawing';
import { median, rangeOf } from '../median';
import type { Row } from '../row';

/**
 * Usage: node layoutRows.mjs ROUNDS
 *
 * The drawing of a graph with as many nodes as are drawn one by one, and of one with 500, which is put into groups: each node leads to
 * the next one and to one further down, and every twentieth back. In the editor that is done in a thread of its own.
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
