import assert from 'node:assert/strict';
import { AbortError } from '../../../src/base/abort';
import type { ScriptTargets } from '../../../src/engine/graphs/edges';
import type { Graph, GraphNode, JsonValue } from '../../../src/engine/graphs/graph';
import { stateAsObject } from '../../../src/engine/graphs/graphState';
import { firstPosition, type NodeOutcome, type Position } from '../../../src/engine/graphs/position';
import { progressOf } from '../../../src/engine/graphs/record/progress';
import { Limiter, type NodeTurn, runSteps } from '../../../src/engine/graphs/runSteps';
import { fuzzSize } from '../../support/fuzzSize';
import { seededRandom } from '../../support/seededRandom';
import { graphOf } from './graphText';

interface Stop {
  position: Position;
  done: Map<string, NodeOutcome>;
}

type Run = (turn: NodeTurn) => Promise<NodeOutcome>;

/** Runs from the start or from a stop; with `stopAfter`, stops after that many nodes and returns where it stopped. */
async function play(
  graph: Graph,
  run: Run,
  {
    from,
    stopAfter = Infinity,
    scripts = new Map(),
  }: { from?: Stop; stopAfter?: number; scripts?: ScriptTargets } = {},
) {
  const at: Stop = from ?? { position: firstPosition(graph, 'go'), done: new Map() };
  const stop = new AbortController();
  const order: string[] = [];
  let left = stopAfter;
  try {
    const ended = await runSteps(at.position, at.done, {
      graph,
      scripts,
      signal: stop.signal,
      runNode: run,
      nodeDone: ({ node }, outcome) => {
        if (left <= 0) return Promise.reject(new AbortError());
        order.push(node.id);
        at.done = new Map(at.done).set(node.id, outcome);
        if (--left <= 0) stop.abort();
        return Promise.resolve();
      },
      stepDone: (_, after) => {
        if (after.kind === 'going') Object.assign(at, { position: after.position, done: new Map() });
        return Promise.resolve();
      },
    });
    return { order, answer: ended.answer, state: stateAsObject(ended.state), dropped: ended.dropped };
  } catch (error) {
    if (stopAfter === Infinity) throw error;
    return { order, at };
  }
}

const say = (...writes: [string, JsonValue][]): Pick<NodeOutcome, 'writes'> => ({
  writes: writes.map(([key, value]) => ({ key, value })),
});

/** Continues as the graph declares; an end node answers `over`. */
function plain(node: GraphNode): NodeOutcome {
  if (node.type === 'end') return { writes: [], targets: [], end: 'over' };
  return { writes: [], targets: node.type === 'approval' ? [node.onOther] : node.next };
}

const HEAD = 'name: a\nstart: a\n';
const node = (id: string, next: string, more = '') => `  ${id}: { type: script, script: x.sh, next: ${next}${more} }\n`;

describe('The steps of a graph', () => {
  it('run a fan-out together, each branch on the earlier state, and their join once', async () => {
    const graph = await graphOf(
      `${HEAD}nodes:\n${node('a', '[b, c]')}${node('b', 'd')}${node('c', 'd')}  d: { type: end }\n`,
    );
    const seen: [string, JsonValue][] = [];
    const { order, state } = await play(graph, ({ node, state }) => {
      seen.push([node.id, stateAsObject(state)]);
      return Promise.resolve({ ...plain(node), ...say([node.id, node.id]) });
    });
    assert.deepEqual(order.toSorted(), ['a', 'b', 'c', 'd']);
    assert.deepEqual(seen.slice(1, 3), [
      ['b', { a: 'a', initial_prompt: 'go' }],
      ['c', { a: 'a', initial_prompt: 'go' }],
    ]);
    assert.deepEqual(state, { a: 'a', b: 'b', c: 'c', d: 'd', initial_prompt: 'go' });
  });

  const unequal = (join: string) =>
    `${HEAD}version: "1.1"\nnodes:\n${node('a', '[b, d]')}${node('b', 'c')}${node('c', 'd')}${node('d', 'e', join)}  e: { type: end }\n`;

  it('join branches of unequal length once with join: all (D-14)', async () => {
    const run: Run = ({ node }) => Promise.resolve(plain(node));
    assert.deepEqual((await play(await graphOf(unequal(', join: all')), run)).order, ['a', 'b', 'c', 'd', 'e']);
    // Without it, as in the original: the shorter branch arrives first, and its end is the end.
    assert.deepEqual((await play(await graphOf(unequal('')), run)).order, ['a', 'b', 'd', 'c', 'e']);
  });

  it('make a join wait for a script that chooses its route at run time', async () => {
    const open = unequal(', join: all').replace(node('c', 'd'), '  c: { type: script, script: x.sh }\n');
    const run: Run = ({ node }) => Promise.resolve(node.id === 'c' ? { writes: [], targets: ['d'] } : plain(node));
    assert.deepEqual((await play(await graphOf(open), run)).order, ['a', 'b', 'c', 'd', 'e']);
  });

  it('make a join wait for a script that takes an undeclared route', async () => {
    const nodes = `${node('a', '[b, d]')}${node('b', 'c')}${node('c', 'f')}${node('f', 'e')}${node('d', 'e', ', join: all')}`;
    const graph = await graphOf(`${HEAD}version: "1.1"\nnodes:\n${nodes}  e: { type: end, join: all }\n`);
    const elsewhere: Run = ({ node }) =>
      Promise.resolve(node.id === 'c' ? { writes: [], targets: ['d'] } : plain(node));
    assert.deepEqual((await play(graph, elsewhere)).order, ['a', 'b', 'c', 'd', 'e']);
    const asDeclared: Run = ({ node }) => Promise.resolve(plain(node));
    assert.deepEqual((await play(graph, asDeclared)).order, ['a', 'b', 'c', 'f', 'd', 'e']);
  });

  it('has a join wait only for scripts that may reach it, as far as their text tells', async () => {
    const aside = `${node('s', 't')}${node('t', 'u')}${node('u', 'z')}`.replaceAll('x.sh', 'aside.sh');
    const nodes = `${node('a', '[b, s]')}${node('b', '[c, d]')}${node('c', 'j')}${node('d', 'j')}${node('j', 'z', ', join: all')}${aside}`;
    const graph = await graphOf(`${HEAD}version: "1.1"\nnodes:\n${nodes}  z: { type: end, join: all }\n`);
    const run: Run = ({ node }) => Promise.resolve(plain(node));
    const inOrder = async (scripts: ScriptTargets) => (await play(graph, run, { scripts })).order.join(' ');
    const known: [string, string[]] = ['x.sh', []];
    assert.equal(await inOrder(new Map([known, ['aside.sh', []]])), 'a b s c d t j u z');
    assert.equal(await inOrder(new Map([known, ['aside.sh', ['j']]])), 'a b s c d t u j z');
    assert.equal(await inOrder(new Map([known])), 'a b s c d t u j z');
  });

  it('reject a route that a script does not declare to a join that has already run', async () => {
    const aside = `${node('s', 't')}${node('t', 'z')}`.replaceAll('x.sh', 'aside.sh');
    const nodes = `${node('a', '[b, s]')}${node('b', 'j')}${node('j', '[k, l]', ', join: all')}${node('k', 'z')}${node('l', 'z')}${aside}`;
    const graph = await graphOf(`${HEAD}version: "1.1"\nnodes:\n${nodes}  z: { type: end, join: all }\n`);
    const to =
      (from: string, target: string): Run =>
      ({ node, step }) =>
        Promise.resolve(node.id === from && step < 4 ? { writes: [], targets: [target] } : plain(node));
    const scripts = new Map([
      ['x.sh', []],
      ['aside.sh', []],
    ]);
    const message =
      'The node “t” failed: It continues with “b”, which its script does not declare, so “j” has run without waiting for it. Add “b” to the script in a comment: _next: b.';
    await assert.rejects(play(graph, to('t', 'b'), { scripts }), { message });
    // Before the join has run, it waits; and a route back from behind the join runs it once more.
    assert.equal((await play(graph, to('s', 'j'), { scripts })).order.join(' '), 'a b s j k l z');
    assert.equal((await play(graph, to('k', 'j'), { scripts })).order.join(' '), 'a b s j t k l j k l z');
  });

  it('stay as they were decided when they come from a record', async () => {
    const graph = await graphOf(unequal(', join: all'));
    const done = { type: 'node-done', time: 1, step: 0, node: 'a', durationMs: 1, tokens: 0, costUsd: 0 } as const;
    const { position } = progressOf(graph, 'go', [
      { ...done, writes: [], targets: ['b', 'd'] },
      { type: 'step-done', time: 2, step: 0, next: ['b', 'd'] },
    ]);
    assert.deepEqual([position.frontier, position.held], [['b', 'd'], []]);
  });

  it('run nested joins in order, and none waits forever', async () => {
    const join = ', join: all';
    const nested = `${node('a', '[b, e]')}${node('b', '[c, d]')}${node('c', 'f')}${node('d', 'f')}${node('f', 'g', join)}${node('e', 'g')}`;
    const graph = await graphOf(`${HEAD}version: "1.1"\nnodes:\n${nested}${node('g', 'h', join)}  h: { type: end }\n`);
    const run: Run = ({ node }) => Promise.resolve(plain(node));
    assert.deepEqual((await play(graph, run)).order, ['a', 'b', 'e', 'c', 'd', 'f', 'g', 'h']);
  });

  it('cancel the other nodes when one fails, and name it', async () => {
    const graph = await graphOf(
      `${HEAD}nodes:\n${node('a', '[b, c]')}${node('b', 'd')}${node('c', 'd')}  d: { type: end }\n`,
    );
    let cancelled = 0;
    const playing = play(graph, ({ node, signal }) => {
      if (node.id === 'b') return Promise.reject(new Error('No bread.'));
      if (node.id !== 'c') return Promise.resolve(plain(node));
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          cancelled++;
          reject(new AbortError());
        });
      });
    });
    await assert.rejects(playing, { name: 'GraphFailure', message: 'The node “b” failed: No bread.' });
    assert.equal(cancelled, 1);
  });

  it('reject two ends at once, no next node, a missing node and too many visits', async () => {
    const ends = await graphOf(`${HEAD}nodes:\n${node('a', '[b, c]')}  b: { type: end }\n  c: { type: end }\n`);
    const run: Run = ({ node }) => Promise.resolve(plain(node));
    await assert.rejects(play(ends, run), /The ends b and c were reached at the same time/);
    const none = await graphOf(`${HEAD}nodes:\n${node('a', '[]')}  b: { type: end }\n`);
    await assert.rejects(play(none, run), /No node is left to run, but no end was reached/);
    const to =
      (target: string): Run =>
      () =>
        Promise.resolve({ writes: [], targets: [target] });
    await assert.rejects(play(none, to('x')), {
      message: 'The node “a” failed: There is no node “x” to continue with. Did you mean “a”?',
    });
    const far = { message: /^The node “a” failed: There is no node “elsewhere” to continue with\. Correct / };
    await assert.rejects(play(none, to('elsewhere')), far);
    await assert.rejects(play(none, to('a')), {
      message:
        'The node “a” failed: It was reached 101 times but may run only 100 times. Raise “settings.max_loop_iterations”, or fix the loop.',
    });
  });

  it('report where other nodes would have continued when one ends', async () => {
    const graph = await graphOf(
      `${HEAD}nodes:\n${node('a', '[b, c]')}  b: { type: end }\n${node('c', 'd')}  d: { type: end }\n`,
    );
    assert.deepEqual((await play(graph, ({ node }) => Promise.resolve(plain(node)))).dropped, ['d']);
  });
});

/** Generates a layered graph without edges back, with fan-outs of any length that join in `end`. */
function randomGraph(random: () => number): string {
  const count = 3 + Math.floor(random() * 12);
  const ids = Array.from({ length: count }, (_, index) => `n${index}`);
  const lines = ids.map((id, index) => {
    const later = ids.slice(index + 1).filter(() => random() < 0.35);
    const next = later.length > 0 ? later.slice(0, 4) : [ids[index + 1] ?? 'end'];
    const join = random() < 0.5 ? ', join: all' : '';
    return node(id, `[${next.join(', ')}]`, join);
  });
  return `name: a\nversion: "1.1"\nstart: n0\nreducers: { sum: sum, log: append }\nsettings: { max_loop_iterations: 10000 }\nnodes:\n${lines.join('')}  end: { type: end, join: all }\n`;
}

async function turns(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await new Promise((resolve) => setImmediate(resolve));
}

describe('Random graphs', () => {
  const SEED = Number(process.env['CAIRN_SEED'] ?? 14);
  const runner =
    (timing: () => number): Run =>
    async ({ node, step }) => {
      await turns(Math.floor(timing() * 4));
      return { ...plain(node), ...say(['sum', 1], ['log', `${step} ${node.id}`]) };
    };

  for (let index = 0; index < fuzzSize(100); index++) {
    it(`number ${index} of seed ${SEED}: same result, no lost write, each join once, wherever stopped`, async () => {
      const random = seededRandom(SEED * 1000 + index);
      const graph = await graphOf(randomGraph(random));
      const scripts: ScriptTargets = new Map(random() < 0.5 ? [['x.sh', []]] : []);
      const whole = await play(graph, runner(random), { scripts });
      assert.deepEqual((await play(graph, runner(random), { scripts })).state, whole.state);
      assert.equal(whole.state?.['sum'], whole.order.length);
      const joins = [...graph.nodes.values()].filter(({ joinsAll }) => joinsAll).map(({ id }) => id);
      for (const id of joins) assert.ok(whole.order.filter((one) => one === id).length <= 1, `${id} ran twice`);
      const most = Math.min(whole.order.length - 1, 12);
      for (let after = 1; after <= most; after++) {
        const stopped = await play(graph, runner(random), { stopAfter: after, scripts });
        assert.ok(stopped.at);
        const rest = await play(graph, runner(random), { from: stopped.at, scripts });
        assert.deepEqual(rest.state, whole.state);
        assert.equal(stopped.order.length + rest.order.length, whole.order.length, 'a node ran again');
      }
    });
  }
});

describe('The concurrency limit', () => {
  it('admits work in order of arrival, and none that was cancelled', async () => {
    const limiter = new Limiter(2);
    const [never, gaveUp] = [new AbortController(), new AbortController()];
    const log: string[] = [];
    let most = 0;
    let working = 0;
    const work = (name: string, signal = never.signal) =>
      limiter.run(async () => {
        most = Math.max(most, ++working);
        await turns(2);
        log.push(name);
        working--;
      }, signal);
    const all = [work('a'), work('b'), work('c', gaveUp.signal), work('d'), work('e')];
    gaveUp.abort();
    const results = await Promise.allSettled(all);
    assert.deepEqual(log, ['a', 'b', 'd', 'e']);
    assert.equal(most, 2);
    assert.equal(results[2]?.status, 'rejected');
    most = 0;
    await Promise.all([work('f'), work('g')]);
    assert.equal(most, 2, 'who gave up left no place empty');
  });
});
