import assert from 'node:assert/strict';
import { layoutGraph } from '../../../src/host/graphs/layout/layoutGraph';
import { type DrawnBox, type DrawnWay, type GraphDrawing, MOST_BOXES } from '../../../src/protocol/graphDrawing';
import { seededRandom } from '../../support/seededRandom';

const way = (from: string, to: string, kind: DrawnWay['kind'] = 'next'): DrawnWay => ({ from, to, kind });

function drawn(words: string, more: readonly DrawnWay[] = []): GraphDrawing {
  const ways = words.split(' ').map((one) => one.split('>'));
  const nodes = [...new Set(ways.flat())];
  const pairs = ways.flatMap(([from, to]) => (from === undefined || to === undefined ? [] : [way(from, to)]));
  return layoutGraph({ start: nodes[0] ?? '', nodes, ways: [...pairs, ...more] });
}

function boxOf({ boxes }: GraphDrawing, id: string): DrawnBox {
  const found = boxes.find((box) => box.id === id);
  assert.ok(found, `${id} is not drawn`);
  return found;
}

function assertSound({ boxes, lines, width, height }: GraphDrawing): void {
  for (const [at, one] of boxes.entries()) {
    const inside =
      one.x - one.width / 2 >= 0 &&
      one.x + one.width / 2 <= width &&
      one.y - one.height / 2 >= 0 &&
      one.y + one.height / 2 <= height;
    assert.ok(inside, `${JSON.stringify(one.id)} is not within ${width} × ${height}`);
    for (const other of boxes.slice(at + 1)) {
      const apart =
        Math.abs(one.x - other.x) >= (one.width + other.width) / 2 ||
        Math.abs(one.y - other.y) >= (one.height + other.height) / 2;
      assert.ok(apart, `${JSON.stringify(one.id)} and ${JSON.stringify(other.id)} overlap`);
    }
  }
  const byId = new Map(boxes.map((box) => [box.id, box]));
  for (const { from, to, points } of lines) {
    const [first, last] = [points[0], points.at(-1)];
    assert.ok(first && last && points.length > 1, `${from} to ${to} has no points`);
    assert.ok(touches(byId.get(from), first), `the line to ${to} does not begin at ${from}`);
    assert.ok(touches(byId.get(to), last), `the line from ${from} does not end at ${to}`);
  }
}

function touches(box: DrawnBox | undefined, { x, y }: { x: number; y: number }): boolean {
  if (!box) return false;
  return Math.abs(x - box.x) <= box.width / 2 + 0.2 && Math.abs(y - box.y) <= box.height / 2 + 0.2;
}

describe('The graph layout', () => {
  it('goes down from the start, and keeps the file order within a row', () => {
    const drawing = drawn('start>left start>middle start>right left>end middle>end right>end');
    assertSound(drawing);
    assert.deepEqual(
      drawing.boxes.map(({ id }) => id),
      ['start', 'left', 'middle', 'right', 'end'],
    );
    assert.ok(boxOf(drawing, 'left').y > boxOf(drawing, 'start').y);
    assert.equal(boxOf(drawing, 'left').y, boxOf(drawing, 'right').y);
  });

  it('is deterministic, and keeps the order when a node is added', () => {
    const words = 'a>b a>c a>d b>e c>e d>e';
    assert.deepEqual(drawn(words), drawn(words));
    const rows = drawn(`${words} d>extra`).boxes.map(({ id }) => id);
    assert.deepEqual(
      rows.filter((id) => id !== 'extra'),
      ['a', 'b', 'c', 'd', 'e'],
    );
  });

  it('marks the edge that closes a loop, which goes up', () => {
    const drawing = drawn('write>check check>done check>write');
    assertSound(drawing);
    const back = drawing.lines.filter(({ isBack }) => isBack);
    assert.deepEqual(
      back.map(({ from, to }) => [from, to]),
      [['check', 'write']],
    );
    const [loop] = back;
    assert.ok((loop?.points[0]?.y ?? 0) > (loop?.points.at(-1)?.y ?? 0));
    assert.ok(boxOf(drawing, 'write').y < boxOf(drawing, 'check').y);
  });

  it('handles self-loops, cycles without a start, and two edges between the same nodes', () => {
    const drawing = drawn('a>b b>b b>c c>a x>y y>x', [way('a', 'b', 'fallback')]);
    assertSound(drawing);
    assert.deepEqual(drawing.lines.filter(({ from, to }) => from === to).length, 1);
    const both = drawing.lines.filter(({ from, to }) => from === 'a' && to === 'b');
    assert.deepEqual(both.map(({ kind }) => kind).sort(), ['fallback', 'next']);
    assert.notDeepEqual(both[0]?.points, both[1]?.points);
  });

  it('keeps the kinds and labels of edges, and leaves out those without a target', () => {
    const drawing = layoutGraph({
      start: 'ask',
      nodes: ['ask', 'do', 'leave'],
      ways: [
        { from: 'ask', to: 'do', kind: 'route', label: 'Do it' },
        { from: 'ask', to: 'leave', kind: 'other' },
        { from: 'ask', to: 'nobody', kind: 'route', label: 'Lost' },
      ],
    });
    assertSound(drawing);
    const [route] = drawing.lines;
    assert.equal(drawing.lines.length, 2);
    assert.equal(route?.label, 'Do it');
    assert.ok((route.labelAt?.y ?? 0) > boxOf(drawing, 'ask').y && (route.labelAt?.y ?? 0) < boxOf(drawing, 'do').y);
  });

  it('accepts any node name', () => {
    const names = [
      ...['__proto__', 'constructor', 'toString', '', ' ', '\u0000', '\u0001', 'b0', 'l0', '<script>', '"', '漢'],
      'x'.repeat(5000),
    ];
    const ways = names.map((name, at) => way(name, names[(at + 1) % names.length] ?? ''));
    const drawing = layoutGraph({ start: '__proto__', nodes: names, ways });
    assertSound(drawing);
    assert.deepEqual(new Set(drawing.boxes.map(({ id }) => id)), new Set(names));
    assert.ok(drawing.boxes.every(({ width }) => width <= 300));
  });

  it('is empty without nodes, and places a single node', () => {
    assert.deepEqual(layoutGraph({ start: '', nodes: [], ways: [] }).boxes, []);
    assertSound(layoutGraph({ start: 'only', nodes: ['only'], ways: [way('only', 'only')] }));
  });

  it('is valid for random graphs', () => {
    const random = seededRandom(29);
    const pick = (below: number) => Math.floor(random() * below);
    for (let turn = 0; turn < 40; turn++) {
      const nodes = Array.from({ length: 1 + pick(30) }, (_, at) => `node ${at}`);
      const name = () => nodes[pick(nodes.length)] ?? '';
      const kinds = ['next', 'fallback', 'branch'] as const;
      const ways = Array.from({ length: pick(60) }, () => way(name(), name(), kinds[pick(3)]));
      assertSound(layoutGraph({ start: name(), nodes, ways }));
    }
  });
});

describe('Large graphs', () => {
  /** A chain in which one node in ten is attached two nodes further up, and one edge leads back. */
  function large(count: number) {
    const nodes = Array.from({ length: count }, (_, at) => `n${at}`);
    const ways = nodes.slice(1).map((id, at) => way(nodes[at % 10 === 3 ? Math.max(0, at - 2) : at] ?? '', id));
    return { start: 'n0', nodes, ways: [...ways, way(`n${count - 1}`, 'n5')] };
  }

  it('are drawn node by node up to the limit', () => {
    const { boxes } = layoutGraph(large(MOST_BOXES));
    assert.equal(boxes.length, MOST_BOXES);
    assert.ok(boxes.every(({ members }) => members === null));
  });

  for (const count of [151, 500, 3000]) {
    it(`are divided into groups, with each node in one: ${count} nodes`, () => {
      const drawing = layoutGraph(large(count));
      assertSound(drawing);
      assert.ok(drawing.boxes.length <= MOST_BOXES, `${drawing.boxes.length} boxes`);
      const all = drawing.boxes.flatMap(({ id, members }) => members ?? [id]);
      assert.equal(all.length, count);
      assert.equal(new Set(all).size, count);
    });
  }

  it('split rows of hundreds into several groups', () => {
    const nodes = ['start', ...Array.from({ length: 498 }, (_, at) => `item ${at}`), 'end'];
    const ways = nodes.slice(1, -1).flatMap((id) => [way('start', id), way(id, 'end')]);
    const drawing = layoutGraph({ start: 'start', nodes, ways });
    assertSound(drawing);
    assert.ok(drawing.boxes.length > 10 && drawing.boxes.length <= MOST_BOXES);
    assert.equal(boxOf(drawing, 'start').members, null);
    assert.equal(drawing.lines.find(({ from }) => from === 'start')?.count, boxOf(drawing, 'item 0').members?.length);
  });

  it('show the nodes of an open group', () => {
    const shape = large(500);
    const group = layoutGraph(shape).boxes.find(({ members }) => members !== null);
    assert.ok(group?.members);
    const drawing = layoutGraph(shape, [group.id]);
    assertSound(drawing);
    for (const id of group.members) assert.equal(boxOf(drawing, id).members, null);
  });
});
