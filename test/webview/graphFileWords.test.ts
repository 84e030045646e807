import assert from 'node:assert/strict';
import type { DrawnBox, DrawnLine, DrawnWay, GraphDrawing } from '../../src/protocol/graphDrawing';
import type { GraphProblemView, GraphRunView, GraphView, VisitView } from '../../src/protocol/graphPage';
import { boxAfter } from '../../webview/graphs/graphMoves';
import { GraphWords, nameOf } from '../../webview/graphs/graphWords';

const way = (from: string, to: string, label?: string): DrawnWay => ({
  ...{ from, to, kind: 'next' },
  ...(label !== undefined && { label }),
});
const problem = (node: string | null, text: string, isError: boolean): GraphProblemView => ({
  ...{ node, text, isError, line: 1 },
});
const box = (id: string, members: readonly string[] | null = null): DrawnBox => ({
  ...{ id, members, x: 0, y: 0, width: 10, height: 10 },
});

function view(parts: Partial<GraphView>): GraphView {
  return {
    ...{
      page: 'graph',
      name: 'flow',
      start: 'plan',
      drawing: null,
      opened: [],
      problems: [],
      current: null,
      run: null,
    },
    ...{ note: null, canRun: false },
    ways: [way('plan', 'write', 'yes'), way('plan', 'stop'), way('write', 'stop')],
    nodes: [
      { id: 'plan', type: 'llm', description: 'Plans it.', isMissing: false },
      { id: 'write', type: 'agent', description: '', isMissing: false },
      { id: 'stop', type: '', description: '', isMissing: true },
    ],
    ...parts,
  };
}

const visited = (node: string, state: VisitView['state'], targets: readonly string[] = []): VisitView => ({
  ...{ node, step: 0, state, waitedFrom: 0, beganAt: 0, endedAt: 2000, asks: [], tries: 1, items: 0, itemsAround: 0 },
  ...{ branches: [], tokens: 0, costUsd: 0, targets, message: null, sessionId: null },
});
const run = (visits: readonly VisitView[]): GraphRunView => ({
  ...{ state: 'completed', prompt: '', beganAt: 0, endedAt: 9, tokens: 0, costUsd: 0, end: null, visits },
  ...{ detail: null, comparison: null },
});

describe('The text for the nodes of a graph file', () => {
  it('says what a node is and where it leads', () => {
    const words = new GraphWords(view({}), 0);
    assert.deepEqual(words.ofNode('plan'), {
      ...{ title: 'plan', line: 'llm · Plans it.', about: 'llm · Plans it.', mark: '' },
      label: 'plan. llm · Plans it. Goes to write (yes), stop',
    });
    assert.equal(words.ofNode('write').label, 'write. agent. Goes to stop');
    const missing = words.ofNode('stop');
    assert.deepEqual(
      [missing.mark, missing.line, missing.label],
      ['missing', 'not in the file', 'stop, not in the file'],
    );
    assert.equal(words.goesTo('stop'), '');
  });

  it('shows its problems, of which an error weighs more', () => {
    const problems = [
      problem('plan', 'Odd.', false),
      problem('plan', 'Wrong.', true),
      problem('write', 'Unused.', false),
      problem(null, 'No end.', true),
    ];
    const words = new GraphWords(view({ problems }), 0);
    const [plan, write] = [words.ofNode('plan'), words.ofNode('write')];
    assert.deepEqual([plan.mark, plan.line], ['error', 'Odd.']);
    assert.match(plan.label, /2 problems: Odd\. Wrong\. Goes to/);
    assert.deepEqual([write.mark, write.line], ['warning', 'Unused.']);
    assert.match(write.label, /1 problem: Unused\. Goes to/);
  });

  it('sums up a group of nodes', () => {
    const calm = new GraphWords(view({}), 0);
    const { title, line, mark, label } = calm.ofBox(box('group', ['plan', 'write']));
    assert.deepEqual([title, line, mark], ['2 nodes', 'plan, write', 'group']);
    assert.equal(label, 'Group of 2 nodes. plan, write');
    const wrong = new GraphWords(view({ problems: [problem('write', 'Unused.', false)] }), 0);
    const one = wrong.ofBox(box('group', ['write']));
    assert.deepEqual([one.title, one.line, one.mark], ['1 node', '1 with problems', 'error']);
    assert.equal(wrong.ofBox(box('plan')).title, 'plan');
  });

  it('puts a name in quotes that is empty or blank', () => {
    assert.deepEqual([nameOf('plan'), nameOf(''), nameOf('  ')], ['plan', '“”', '“”']);
  });
});

describe('A run in a drawing', () => {
  it('sums up a group by what is most important in it', () => {
    const visits = [visited('plan', 'done'), visited('write', 'asking')];
    const words = new GraphWords(view({ run: run(visits) }), 0).ofBox(box('group', ['plan', 'write', 'stop']));
    assert.deepEqual([words.mark, words.line], ['asking', '1 asking, 1 done, 1 skipped']);
    assert.equal(words.label, 'Group of 3 nodes: 1 asking, 1 done, 1 skipped');
  });

  it('says where a node went', () => {
    const words = new GraphWords(view({ run: run([visited('plan', 'done', ['write', 'stop'])]) }), 0);
    assert.equal(words.ofNode('plan').label, 'plan, done · 2 s. Went to write, stop');
  });

  it('marks the lines that it took, also into and out of groups', () => {
    const line = (from: string, to: string): DrawnLine => ({
      ...{ from, to, points: [], isBack: false, kind: 'next', count: 1 },
    });
    const drawing: GraphDrawing = {
      ...{ width: 100, height: 100 },
      boxes: [box('plan'), box('group', ['write', 'check']), box('stop')],
      lines: [line('plan', 'group'), line('plan', 'stop'), line('group', 'stop')],
    };
    const taken = (visits: readonly VisitView[]) => new GraphWords(view({ run: run(visits) }), 0).taken(drawing);
    assert.deepEqual(taken([visited('plan', 'done', ['write'])]), [0]);
    assert.deepEqual(
      taken([visited('plan', 'done', ['check', 'stop']), visited('check', 'done', ['stop'])]),
      [0, 1, 2],
    );
    assert.deepEqual(taken([visited('plan', 'failed')]), []);
  });

  it('is walked to the nearest box, the first of several that are as near', () => {
    const at = (id: string, x: number, y: number): DrawnBox => ({ ...box(id), x, y });
    const boxes = [
      at('from', 50, 50),
      at('left', 20, 50),
      at('far', 0, 50),
      at('a', 40, 100),
      at('b', 60, 100),
      at('right', 90, 55),
    ];
    const after = (key: string) => boxAfter({ width: 100, height: 100, boxes, lines: [] }, 'from', key);
    assert.deepEqual(['ArrowLeft', 'ArrowRight', 'ArrowDown', 'ArrowUp'].map(after), ['left', 'right', 'a', undefined]);
  });
});
