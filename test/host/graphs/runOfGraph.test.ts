import assert from 'node:assert/strict';
import type { GraphRecord, KnownRun, NodeView, RunView } from '../../../src/engine';
import { detailOf, runOfGraph } from '../../../src/host/graphs/runOfGraph';

const branch = { node: 'item', left: 1, begun: 2, done: 3, around: 0, failed: 0, stopped: 4, retried: 0 };
const visit = (parts: Partial<NodeView> = {}): NodeView => ({
  ...{ node: 'a', step: 0, state: 'done', beganAt: 100, durationMs: 50, askedMs: 0, asks: [], tries: 1, items: 0 },
  ...{ itemsAround: 0, branches: [], tokens: 0, costUsd: 0, targets: [], writes: [] },
  ...parts,
});
const begun = (parts: Partial<NodeView> = {}) => visit({ state: 'begun', durationMs: null, ...parts });

function shown(nodes: readonly NodeView[], isCarriedOut: boolean, parts: Partial<RunView> = {}) {
  const view: RunView = {
    ...{ id: 'one', agent: 'flow', prompt: 'Build', beganAt: 0, endedAt: null, state: 'open', steps: 0, tokens: 0 },
    ...{ costUsd: 0, nodes: [...nodes] },
    ...parts,
  };
  const run: KnownRun = { sessionId: 's', workspace: '/work', isHeld: isCarriedOut, view };
  return runOfGraph(run, isCarriedOut, { detail: null, comparison: null });
}

describe('The page of a run', () => {
  it('tells a run that works from one that asks, and from one that no process carries out', () => {
    const asking = begun({
      node: 'b',
      asks: [
        { from: 1, to: 2 },
        { from: 3, to: null },
      ],
    });
    const answered = begun({ node: 'b', asks: [{ from: 1, to: 2 }] });
    assert.equal(shown([begun()], true).state, 'running');
    assert.equal(shown([begun(), asking], true).state, 'asking');
    assert.equal(shown([begun(), answered], true).state, 'running');
    assert.equal(shown([begun(), asking], false).state, 'interrupted');
    assert.equal(shown([visit()], false, { state: 'completed' }).state, 'completed');
  });

  it('shows a visit as stopped if its run was interrupted or it was started again, with what it had begun', () => {
    const states = (nodes: readonly NodeView[], isCarriedOut: boolean) =>
      shown(nodes, isCarriedOut).visits.map(({ state, branches }) => [state, branches[0]?.begun, branches[0]?.stopped]);
    const one = begun({ branches: [branch] });
    assert.deepEqual(states([one], true), [['running', 2, 4]]);
    assert.deepEqual(states([one], false), [['stopped', 0, 6]]);
    assert.deepEqual(states([one, begun({ beganAt: 300, branches: [branch] })], true), [
      ['stopped', 0, 6],
      ['running', 2, 4],
    ]);
    assert.deepEqual(states([one, begun({ step: 1, branches: [branch] })], true), [
      ['running', 2, 4],
      ['running', 2, 4],
    ]);
  });

  it('shows since when a node waited: since the first of those that led to it ended', () => {
    const nodes = [
      visit({ node: 'early', targets: ['next'], durationMs: 20 }),
      visit({ node: 'late', targets: ['next'], durationMs: 80 }),
      visit({ node: 'elsewhere', targets: ['other'], durationMs: 1 }),
      begun({ node: 'cut off', targets: ['next'] }),
      visit({ node: 'next', step: 1, beganAt: 200 }),
      visit({ node: 'next', step: 2, beganAt: 400 }),
    ];
    const visits = shown(nodes, true).visits;
    assert.deepEqual(
      visits
        .filter(({ node }) => node === 'next')
        .map(({ waitedFrom, beganAt, endedAt }) => [waitedFrom, beganAt, endedAt]),
      [
        [120, 200, 250],
        [400, 400, 450],
      ],
    );
  });

  it('shows the answer, or else why there is none', () => {
    assert.equal(shown([], false, { state: 'completed', answer: 'Done.', message: 'Not this.' }).end, 'Done.');
    assert.equal(shown([], false, { state: 'failed', message: 'No model.' }).end, 'No model.');
    assert.equal(shown([], true).end, null);
  });

  it('clips long texts', () => {
    const long = 'x'.repeat(300_000);
    const { prompt, end, visits } = shown([visit({ message: long })], false, { prompt: long, answer: long });
    for (const [text, most] of [
      [prompt, 4_000],
      [visits[0]?.message, 4_000],
      [end, 20_000],
    ] as const)
      assert.ok((text?.length ?? Infinity) <= most + 1, String(text?.length));
  });
});

describe('The details of a visit on that page', () => {
  const graph = (state: string) => `
name: flow
version: "1.1"
start: plan
initial_state: { notes: ${state} }
nodes:
  plan: { type: llm, prompt: "Plan {{initial_prompt}}", state_updates: { plan: "{{output}}" }, next: done }
  done: { type: end, output: "{{plan}}" }
`;
  const used = { tokens: 1, costUsd: 0 };
  const recordOf = (state: string, calls: number): GraphRecord => ({
    begun: {
      ...{ type: 'begun', version: 1, id: 'graph-1', time: 0, agent: 'flow', path: '/flow/graph.yaml', prompt: 'it' },
      graph: graph(state),
    },
    entries: [
      { type: 'node-started', time: 0, step: 0, node: 'plan' },
      ...Array.from({ length: calls }, (_, at) => ({
        ...({ type: 'called', time: 1, step: 0, node: 'plan', tool: 'fs_read', title: `Read ${at}` } as const),
        ...({ status: 'ok', durationMs: 3, index: at } as const),
      })),
      {
        ...({ type: 'node-done', time: 5, step: 0, node: 'plan', durationMs: 5, targets: ['done'], ...used } as const),
        ...{ writes: [{ key: 'plan', value: { stones: 3 } }], output: 'stones' },
      },
      { type: 'step-done', time: 5, step: 0, next: ['done'] },
    ],
  });

  it('show the state before it, what it changed, and its calls with the number of their item', async () => {
    const detail = await detailOf(recordOf('[1]', 302), { node: 'plan', step: 0 });
    assert.deepEqual([detail.node, detail.step, detail.prompt, detail.output], ['plan', 0, 'Plan it', 'stones']);
    assert.deepEqual([detail.isWhole, detail.problem], [true, null]);
    assert.match(detail.before, /"notes": \[\s+1\s+\]/);
    assert.deepEqual(detail.changes, [{ key: 'plan', before: null, after: '{\n  "stones": 3\n}' }]);
    assert.deepEqual([detail.calls.length, detail.moreCalls], [300, 2]);
    assert.deepEqual(detail.calls[1], { tool: 'fs_read', title: 'Read 1', status: 'ok', durationMs: 3, item: 2 });
  });

  it('do not offer a state for editing that is too long to be shown as a whole', async () => {
    const detail = await detailOf(recordOf(`"${'x'.repeat(200_000)}"`, 0), { node: 'plan', step: 0 });
    assert.equal(detail.isWhole, false);
    assert.ok(detail.before.length <= 200_001, String(detail.before.length));
    assert.equal(detail.moreCalls, 0);
  });

  it('say why there are none', async () => {
    const { begun: first, entries } = recordOf('[1]', 0);
    const detail = await detailOf({ begun: { ...first, graph: 'nodes: [' }, entries }, { node: 'plan', step: 0 });
    assert.deepEqual([detail.before, detail.isWhole, detail.prompt], ['', false, null]);
    assert.notEqual(detail.problem, null);
  });
});
