import assert from 'node:assert/strict';
import type { GraphRecord } from '../../../src/engine';
import type { GraphEntry } from '../../../src/engine/graphs/record/graphRecords';
import { visitDetail } from '../../../src/engine/graphs/record/graphRuns';
import { runViewOf } from '../../../src/engine/graphs/record/runView';

const GRAPH = `
name: flow
version: "1.1"
start: plan
initial_state: { notes: [] }
reducers: { notes: append }
nodes:
  plan: { type: llm, prompt: "Plan {{initial_prompt}}", max_visits: 3, state_updates: { plan: "{{output}}", notes: planned }, next: gate }
  gate: { type: approval, question: "Do {{plan}}?", options: ["Yes", "Again"], routes: { "Yes": done, "Again": plan }, on_other: done }
  done: { type: end, output: "{{plan}}" }
`;

const at = (time: number, step: number, node: string) => ({ time, step, node });
const used = { tokens: 12, costUsd: 0.5 };

function recordOf(entries: readonly GraphEntry[], graph = GRAPH): GraphRecord {
  const begun = { type: 'begun', version: 1, id: 'graph-1', time: 0, agent: 'flow', path: '/flow/graph.yaml' } as const;
  return { begun: { ...begun, graph, prompt: 'a tower' }, entries };
}

function planned(step: number, time: number, plan: string): GraphEntry[] {
  const writes = [
    { key: 'plan', value: plan },
    { key: 'notes', value: 'planned' },
  ];
  return [
    { type: 'node-started', ...at(time, step, 'plan') },
    {
      type: 'node-done',
      ...at(time + 5, step, 'plan'),
      durationMs: 5,
      writes,
      targets: ['gate'],
      output: plan,
      ...used,
    },
    { type: 'step-done', time: time + 5, step, next: ['gate'] },
  ];
}

const ASKED: GraphEntry[] = [
  { type: 'node-started', ...at(10, 1, 'gate') },
  { type: 'asked', ...at(11, 1, 'gate') },
];
const ANSWERED: GraphEntry[] = [
  ...ASKED,
  { type: 'answered', ...at(31, 1, 'gate') },
  { type: 'node-done', ...at(32, 1, 'gate'), durationMs: 22, writes: [], targets: ['plan'], tokens: 0, costUsd: 0 },
  { type: 'step-done', time: 32, step: 1, next: ['plan'] },
];

describe('The details of a node visit', () => {
  it('include its prompt, output and state changes, separately for each visit', async () => {
    const record = recordOf([...planned(0, 0, 'stones'), ...ANSWERED, ...planned(2, 40, 'bricks')]);
    const first = await visitDetail(record, { node: 'plan', step: 0 });
    assert.equal(first.prompt, 'Plan a tower');
    assert.equal(first.output, 'stones');
    assert.deepEqual(first.changes, [
      { key: 'notes', before: [], after: ['planned'] },
      { key: 'plan', before: undefined, after: 'stones' },
    ]);
    const second = await visitDetail(record, { node: 'plan', step: 2 });
    assert.equal(second.before.get('plan'), 'stones');
    assert.deepEqual(second.changes, [
      { key: 'notes', before: ['planned'], after: ['planned', 'planned'] },
      { key: 'plan', before: 'stones', after: 'bricks' },
    ]);
  });

  it('include the pending question while there is no answer', async () => {
    const record = recordOf([...planned(0, 0, 'stones'), ...ASKED]);
    const { prompt, output, changes } = await visitDetail(record, { node: 'gate', step: 1 });
    assert.deepEqual([prompt, output, changes], ['Do stones?', undefined, []]);
  });

  it('are unavailable when the graph is damaged', async () => {
    const record = recordOf(planned(0, 0, 'stones'), 'name: [');
    await assert.rejects(visitDetail(record, { node: 'plan', step: 0 }), /can no longer be read/);
  });
});

describe('The time spent on a question to the user', () => {
  it('is measured from the question to its answer', () => {
    const open = runViewOf(recordOf([...planned(0, 0, 'stones'), ...ASKED]));
    assert.deepEqual(open.nodes[1]?.asks, [{ from: 11, to: null }]);
    const answered = runViewOf(recordOf([...planned(0, 0, 'stones'), ...ANSWERED]));
    assert.deepEqual(answered.nodes[1]?.asks, [{ from: 11, to: 31 }]);
    assert.equal(answered.nodes[1].askedMs, 20);
  });
});

describe('The items of a map in a record with lost lines', () => {
  it('are counted as far as they are known', () => {
    const place = at(1, 0, 'plan');
    const { nodes } = runViewOf(
      recordOf([
        { type: 'node-started', ...place },
        { type: 'item-begun', ...place, index: 0, of: 3, branch: 'each' },
        { type: 'item-done', ...place, index: 1, value: 'x', ...used },
        { type: 'retried', ...place, index: 2, attempt: 2, message: 'No bread.' },
        { type: 'item-failed', ...place, index: 2, message: 'No bread.' },
      ]),
    );
    assert.deepEqual(nodes[0]?.branches, [
      { node: 'each', begun: 1, done: 0, around: 0, failed: 0, stopped: 0, left: 2, retried: 0 },
    ]);
    assert.equal(nodes[0].items, 1);
  });
});
