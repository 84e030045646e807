import assert from 'node:assert/strict';
import { layoutGraph } from '../../src/host/graphs/layout/layoutGraph';
import type { DrawnWay } from '../../src/protocol/graphDrawing';
import { clipText } from '../../webview/graphs/clipText';
import { boxAfter } from '../../webview/graphs/graphMoves';
import { arrowHead, linePath } from '../../webview/graphs/linePath';
import { listRows } from '../../webview/graphs/listRows';

const way = (from: string, to: string): DrawnWay => ({ from, to, kind: 'next' });
const DIAMOND = [way('a', 'b'), way('a', 'c'), way('b', 'd'), way('c', 'd'), way('d', 'a')];
const node = (id: string) => ({ id, type: '', description: '', isMissing: false });

describe('A drawn graph', () => {
  it('is navigated with the arrow keys, along its edges and within a row', () => {
    const drawing = layoutGraph({ start: 'a', nodes: ['a', 'b', 'c', 'd'], ways: DIAMOND });
    const walk = (from: string, ...keys: string[]) =>
      keys.reduce<string[]>((path, key) => [...path, boxAfter(drawing, path.at(-1) ?? '', key) ?? 'nowhere'], [from]);
    assert.deepEqual(walk('a', 'ArrowDown', 'ArrowDown').slice(2), ['d']);
    assert.deepEqual(walk('b', 'ArrowRight', 'ArrowLeft'), ['b', 'c', 'b']);
    assert.deepEqual(walk('c', 'ArrowUp'), ['c', 'a']);
    assert.deepEqual(walk('a', 'End', 'Home'), ['a', 'd', 'a']);
    for (const [from, key] of [
      ['a', 'ArrowUp'],
      ['d', 'ArrowDown'],
      ['b', 'ArrowLeft'],
      ['a', 'x'],
    ] as const) {
      assert.equal(boxAfter(drawing, from, key), undefined, `${from} ${key}`);
    }
    assert.equal(boxAfter(drawing, 'gone', 'ArrowDown'), 'a');
  });

  it('lists every node once, indents branches, and puts unreachable nodes at the end', () => {
    const nodes = ['lost', 'a', 'b', 'c', 'd', 'alone'].map(node);
    assert.deepEqual(listRows({ start: 'a', nodes, ways: [...DIAMOND, way('lost', 'd'), way('d', 'nobody')] }), [
      { id: 'a', depth: 0 },
      { id: 'b', depth: 1 },
      { id: 'd', depth: 1 },
      { id: 'c', depth: 1 },
      { id: 'lost', depth: 0 },
      { id: 'alone', depth: 0 },
    ]);
    assert.deepEqual(listRows({ start: 'gone', nodes: [], ways: [] }), []);
    const long = Array.from({ length: 5000 }, (_, at) => node(`n${at}`));
    const chain = long.slice(1).map(({ id }, at) => way(`n${at}`, id));
    assert.equal(listRows({ start: 'n0', nodes: long, ways: chain }).length, 5000);
  });

  it('truncates text that does not fit, with an ellipsis', () => {
    assert.equal(clipText('plan', 4), 'plan');
    assert.equal(clipText('planning', 5), 'plan…');
    assert.equal(clipText('計画を立てる', 7), '計画を…');
    assert.equal(clipText('😀😀😀', 5), '😀😀…');
    assert.equal(clipText('', 3), '');
  });

  it('has edges with an arrowhead in their direction', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 0, y: 20 },
      { x: 10, y: 40 },
      { x: 10, y: 60 },
    ];
    assert.equal(linePath(points), 'M0,0L0,10Q0,20 5,30Q10,40 10,50L10,60');
    assert.equal(linePath(points.slice(0, 2)), 'M0,0L0,20');
    assert.equal(arrowHead(points), '10,60 6,52 14,52');
    assert.equal(linePath([]) + arrowHead([]), '');
    assert.doesNotMatch(
      arrowHead([
        { x: 1, y: 1 },
        { x: 1, y: 1 },
      ]),
      /NaN/,
    );
  });
});
