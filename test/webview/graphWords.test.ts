import assert from 'node:assert/strict';
import type { BranchItems, GraphRunView, GraphView, VisitView } from '../../src/protocol/graphPage';
import { GraphWords } from '../../webview/graphs/graphWords';

const NODES = ['plan', 'each', 'item', 'instead', 'done'];

function visit(parts: Partial<VisitView>): VisitView {
  return {
    ...{ node: 'plan', step: 0, state: 'done', waitedFrom: 0, beganAt: 0, endedAt: 2000, asks: [], tries: 1 },
    ...{ items: 0, itemsAround: 0, branches: [], tokens: 0, costUsd: 0, targets: [], message: null, sessionId: null },
    ...parts,
  };
}

function items(node: string, parts: Partial<BranchItems>): BranchItems {
  return { node, left: 0, begun: 0, done: 0, around: 0, failed: 0, stopped: 0, retried: 0, ...parts };
}

/** The text at each node, with its mark, for the visits of a run. */
function told(state: GraphRunView['state'], visits: readonly VisitView[]): Record<string, readonly [string, string]> {
  const endedAt = state === 'running' || state === 'interrupted' ? null : 3000;
  const run: GraphRunView = {
    ...{ state, prompt: '', beganAt: 0, endedAt, tokens: 0, costUsd: 0, end: null, visits },
    ...{ detail: null, comparison: null },
  };
  const view: GraphView = {
    ...{ page: 'graph', name: 'flow', start: 'plan', ways: [], drawing: null, opened: [], problems: [], current: null },
    ...{ note: null, canRun: false, run },
    nodes: NODES.map((id) => ({ id, type: '', description: '', isMissing: false })),
  };
  const words = new GraphWords(view, 3000);
  return Object.fromEntries(
    NODES.map((id) => {
      const { mark, about } = words.ofNode(id);
      return [id, [mark, about] as const];
    }),
  );
}

describe('The text for the nodes of a run', () => {
  it('summarizes the items of a map branch, and of its fallback', () => {
    const branches = [
      items('item', { begun: 3, done: 4, around: 1, left: 12, retried: 2 }),
      items('instead', { done: 1 }),
    ];
    const each = visit({ node: 'each', state: 'running', endedAt: null, branches });
    const { item, instead, done } = told('running', [visit({}), each]);
    assert.deepEqual(item, [
      'running',
      '20 items: 3 running · 4 done · 1 failed, fallback taken · 12 waiting · 2 tried again',
    ]);
    assert.deepEqual(instead, ['done', '1 item: 1 done']);
    assert.deepEqual(done, ['waiting', 'waiting']);
    // The others continue or start once it has its answer.
    assert.deepEqual(told('asking', [visit({}), { ...each, state: 'asking' }])['item'], item);
  });

  it('distinguishes what failed, what was stopped by that, and what never started', () => {
    const branches = [items('item', { done: 2, failed: 1, stopped: 2, left: 15 })];
    const each = visit({ node: 'each', state: 'failed', message: 'Item 3 of 20: no.', branches });
    const why = 'It was stopped because “each” failed.';
    const words = told('failed', [each, visit({ state: 'stopped', message: why })]);
    assert.deepEqual(words, {
      plan: ['stopped', `stopped · 2 s · ${why}`],
      each: ['failed', 'failed · 2 s · Item 3 of 20: no.'],
      item: ['failed', '20 items: 2 done · 1 failed · 2 stopped · 15 not begun'],
      instead: ['unreached', 'not reached'],
      done: ['unreached', 'not reached'],
    });
  });

  it('names a node that runs, with the time that it has run', () => {
    const words = told('running', [visit({ state: 'running', endedAt: null })]);
    assert.deepEqual(words['plan'], ['running', 'running · 3 s']);
  });

  it('explains why a fallback was taken, and calls only nodes skipped that a completed run left out', () => {
    const around = visit({ state: 'around', message: 'Status 400.', targets: ['done'] });
    const words = told('completed', [around]);
    assert.deepEqual(words['plan'], ['around', 'failed, fallback taken · 2 s · Status 400.']);
    assert.deepEqual(words['each'], ['skipped', 'skipped']);
    assert.deepEqual(told('interrupted', [around])['each'], ['unreached', 'not reached']);
    assert.deepEqual(told('stopped', [around])['each'], ['unreached', 'not reached']);
  });
});
