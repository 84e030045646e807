import assert from 'node:assert/strict';
import type { JsonValue, NodeView, RunView } from '../../../src/engine';
import { comparisonOf } from '../../../src/host/graphs/runComparison';

const visit = (writes: Readonly<Record<string, JsonValue>>, parts: Partial<NodeView> = {}): NodeView => ({
  node: 'a',
  step: 0,
  state: 'done',
  beganAt: 0,
  durationMs: 5,
  askedMs: 0,
  asks: [],
  tries: 1,
  items: 0,
  itemsAround: 0,
  branches: [],
  tokens: 1,
  costUsd: 0,
  targets: ['z'],
  writes: Object.entries(writes).map(([key, value]) => ({ key, value })),
  ...parts,
});
const run = (id: string, nodes: readonly NodeView[]): RunView => ({
  id,
  agent: 'flow',
  prompt: `Prompt of ${id}`,
  state: 'completed',
  beganAt: 7,
  endedAt: 9,
  steps: nodes.length,
  tokens: 1,
  costUsd: 0,
  nodes: [...nodes],
});

describe('Two compared runs', () => {
  const compare = (one: readonly NodeView[], other: readonly NodeView[]) =>
    comparisonOf(run('one', one), run('two', other));

  it('show what each wrote, where that differs', () => {
    const { with: other, rows } = compare(
      [visit({ same: [1], text: 'x', gone: 1 })],
      [visit({ same: [1], text: 'y', new: null })],
    );
    assert.deepEqual([other.prompt, other.state, other.beganAt], ['Prompt of two', 'completed', 7]);
    assert.deepEqual(rows[0]?.changes, [
      { key: 'text', one: 'x', other: 'y' },
      { key: 'gone', one: '1', other: null },
      { key: 'new', one: null, other: 'null' },
    ]);
  });

  it('show a number and the same number as text as different', () => {
    const [row] = compare([visit({ k: 1 })], [visit({ k: '1' })]).rows;
    assert.deepEqual([row?.differs, row?.changes], [true, [{ key: 'k', one: '1', other: '"1"' }]]);
  });

  it('show a node that ran in only one of them', () => {
    const { rows } = compare([visit({})], [visit({}), visit({}, { node: 'b', step: 1 })]);
    assert.deepEqual(
      rows.map(({ node, differs, one }) => [node, differs, one === null]),
      [
        ['a', false, false],
        ['b', true, true],
      ],
    );
  });
});
