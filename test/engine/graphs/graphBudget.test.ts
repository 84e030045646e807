import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineWorld } from '../../support/engineWorld';
import { warnings, type ScriptWorld } from '../../support/scriptWorld';
import { changeGraph, FLOW, graphRuns, nodesOf, recordText, runOf, withGraph } from './graphWorld';

/** Four nodes in sequence, each of which uses 100 tokens. */
const graphOf = (budget: string, name = 'flow') =>
  `name: ${name}\nversion: "1.1"\nstart: a\nsettings: { budget: { ${budget} } }\nnodes:\n${['a', 'b', 'c', 'd']
    .map((id, at, ids) => `  ${id}: { type: llm, prompt: "${name} ${id}", next: ${ids[at + 1] ?? 'done'} }\n`)
    .join('')}  done: { type: end, output: over }\n`;

/** Uses 100 tokens for every answer; requests listed in `hangs` get no answer while they are listed. */
function using100(hangs: ReadonlySet<string> = new Set()) {
  return {
    when: () => true,
    step: ({ lastText }: { lastText: string }) =>
      hangs.has(lastText) ? { fail: 'hang' as const } : { say: lastText, usage: { input: 99, output: 1 } },
  };
}

const asked = ({ server }: Pick<ScriptWorld, 'server'>) => server.requests.map(({ lastText }) => lastText);
const TOKENS = { kind: 'limit-reached', limit: 'tokens' };

describe('The budget of a graph', () => {
  it('counts usage before a shutdown, reports it, and lets the run resume once raised', async () => {
    const hangs = new Set(['flow b']);
    await withGraph(graphOf('tokens: 250'), { story: [using100(hangs)] }, async (world) => {
      void world.run('go', FLOW);
      await world.server.untilRequests(2);
      await world.engine.shutDown();
      hangs.clear();
      const next = await world.restart();
      const { outcome, events } = await next.play(undefined, FLOW);
      assert.deepEqual(outcome, TOKENS);
      assert.deepEqual(asked(world), ['flow a', 'flow b', 'flow b', 'flow c']);
      assert.match(
        warnings(events).join('\n'),
        /The budget of the graph “flow” is used up: 300 of 250 tokens, including what was used before it was stopped\. Raise settings\.budget in .*graph\.yaml, then continue\./,
      );
      const still = await (await next.restart()).play(undefined, FLOW);
      assert.deepEqual(still.outcome, TOKENS);
      assert.equal(asked(world).length, 4, 'going on again changes nothing');
      await changeGraph(world, graphOf('tokens: 1000'));
      const last = await (await next.restart()).play(undefined, FLOW);
      assert.deepEqual(last.outcome, { kind: 'completed', answer: 'over' });
      assert.deepEqual(asked(world).slice(4), ['flow d']);
      assert.equal((await runOf(world)).view.tokens, 400);
    });
  });

  it('counts usage before a pause', async () => {
    const story = [
      {
        when: () => true,
        step: ({ lastText }: { lastText: string }) => ({
          ...{ say: lastText, usage: { input: 99, output: 1 } },
          ...(lastText === 'flow b' && { hold: 'b' }),
        }),
      },
    ];
    await withGraph(graphOf('tokens: 300'), { story }, async (world) => {
      const handle = world.run('go', FLOW);
      await world.server.untilRequests(2);
      await graphRuns(world).request({ ...(await runOf(world)), isHeld: true }, 'pause');
      world.server.release('b');
      assert.deepEqual(await handle.outcome, { kind: 'cancelled', paused: true });
      assert.equal((await runOf(world)).view.state, 'paused');
      assert.deepEqual((await world.play(undefined, FLOW)).outcome, TOKENS);
      assert.deepEqual(asked(world), ['flow a', 'flow b', 'flow c']);
    });
  });

  it('also limits cost, across a failed node', async () => {
    const dear = { ...FLOW, model: 'openai:gpt-5.4' };
    let isBroken = true;
    const story = [
      {
        when: () => true,
        step: ({ lastText }: { lastText: string }) =>
          isBroken && lastText === 'flow b'
            ? { fail: { status: 400 } }
            : { say: lastText, usage: { input: 100_000, output: 0 } },
      },
    ];
    await withGraph(graphOf('cost: 0.6'), { story }, async (world) => {
      assert.equal((await world.play('go', dear)).outcome.kind, 'failed');
      isBroken = false;
      const { outcome, events } = await world.play(undefined, dear);
      assert.deepEqual(outcome, { kind: 'limit-reached', limit: 'cost' });
      assert.match(warnings(events).join('\n'), /is used up: \$0\.75 of \$0\.6/);
      assert.equal((await runOf(world)).view.state, 'failed');
      assert.deepEqual(asked(world), ['flow a', 'flow b', 'flow b', 'flow c']);
    });
  });

  it('counts earlier usage in a run that starts in the middle of another', async () => {
    await withGraph(graphOf('tokens: 1000'), { story: [using100()] }, async (world) => {
      assert.equal((await world.play('go', FLOW)).outcome.kind, 'completed');
      const earlier = await runOf(world);
      await changeGraph(world, graphOf('tokens: 250'));
      await graphRuns(world).retry(earlier.view.id, { at: 'b' });
      const { outcome, events } = await (await world.restart()).play(undefined, FLOW);
      assert.deepEqual(outcome, TOKENS);
      assert.deepEqual(nodesOf(events), ['b', 'c', 'd']);
      assert.deepEqual(asked(world).slice(4), ['flow b', 'flow c']);
      assert.equal((await runOf(world)).view.tokens, 300);
    });
  });

  it('applies to a nested graph when both resume', async () => {
    const hangs = new Set(['child b']);
    const graph =
      'name: flow\nversion: "1.1"\nstart: a\nnodes:\n  a: { type: agent, agent: child, prompt: it, next: done }\n  done: { type: end, output: over }\n';
    const files = { '.cairn/agents/child/graph.yaml': graphOf('tokens: 250', 'child') };
    await withGraph(graph, { story: [using100(hangs)], files }, async (world) => {
      void world.run('go', FLOW);
      await world.server.untilRequests(2);
      await world.engine.shutDown();
      hangs.clear();
      const { outcome } = await (await world.restart()).play(undefined, FLOW);
      assert.match(JSON.stringify(outcome), /“a” failed: child did not reach an answer: its limit of tokens/);
      assert.deepEqual(asked(world), ['child a', 'child b', 'child b', 'child c']);
    });
  });
});

describe('The budgets of a map and of its branch', () => {
  const graph = (map: string, branch: string) =>
    `name: flow\nversion: "1.1"\nstart: a\ninitial_state: { list: [x] }\nnodes:\n  a: { type: map, over: "{{list}}", as: item, branch: each, collect_into: all, budget: { ${map} }, next: done }\n  each: { type: agent, agent: helper, prompt: help, budget: { ${branch} } }\n  done: { type: end }\n`;
  const read = ({ messages }: { messages: readonly unknown[] }) => ({
    call: [{ name: 'fs_read', arguments: { path: `${messages.length}.txt` } }],
    usage: { input: 100_000, output: 0 },
  });
  const files = { '.cairn/agents/helper.md': '---\nmode: primary\ndescription: Helps\n---\nYou help.\n' };

  for (const [map, branch] of [
    ['cost: 0.6', 'cost: 9'],
    ['cost: 9', 'cost: 0.6'],
    ['tokens: 250000', 'tokens: 900000'],
    ['tokens: 900000, cost: 9', 'tokens: 250000'],
  ] as const)
    it(`both limit an agent while it works: ${map}; ${branch}`, async () => {
      await withGraph(graph(map, branch), { story: [{ when: () => true, step: read }], files }, async (world) => {
        const { outcome } = await world.play('go', { ...FLOW, model: 'openai:gpt-5.4' });
        assert.match(
          JSON.stringify(outcome),
          /Item 1 of 1: helper did not reach an answer: its limit of (tokens|cost)/,
        );
        assert.equal(world.server.requests.length, 3);
      });
    });
});

describe('The budget of a node that asks a model', () => {
  it('limits it while it works with tools', async () => {
    const graph =
      'name: flow\nversion: "1.1"\nstart: a\nnodes:\n  a: { type: llm, prompt: p, tools: [fs_read], budget: { tokens: 250 }, next: done }\n  done: { type: end }\n';
    const step = ({ messages }: { messages: readonly unknown[] }) => ({
      call: [{ name: 'fs_read', arguments: { path: `${messages.length}.txt` } }],
      usage: { input: 99, output: 1 },
    });
    await withGraph(graph, { story: [{ when: () => true, step }] }, async (world) => {
      assert.match(
        JSON.stringify((await world.play('go', FLOW)).outcome),
        /did not reach an answer: its limit of tokens/,
      );
      assert.equal(world.server.requests.length, 3);
    });
  });
});

describe('The time limit of a graph', () => {
  const timed = (seconds: number) => graphOf('tokens: 9999').replace('settings: {', `settings: { timeout: ${seconds},`);
  const LATE = { kind: 'limit-reached', limit: 'time' };

  /** Stops in b, then moves the times in the first `lines` lines of the record back by `seconds`. */
  async function stoppedInB(
    world: ScriptWorld,
    hangs: Set<string>,
    seconds: number,
    lines: number,
  ): Promise<EngineWorld> {
    void world.run('go', FLOW);
    await world.server.untilRequests(2);
    await world.engine.shutDown();
    hangs.clear();
    await happenedEarlier(world, seconds, lines);
    return world.restart();
  }

  async function happenedEarlier(world: ScriptWorld, seconds: number, lines: number): Promise<void> {
    const run = await runOf(world);
    const all = (await recordText(world, run)).split('\n');
    const earlier = (line: string) =>
      line.replace(/"time":(\d+)/, (_, ms: string) => `"time":${Number(ms) - seconds * 1000}`);
    const text = all.map((line, at) => (at < lines ? earlier(line) : line)).join('\n');
    await writeFile(join(world.sessionsFolder, run.sessionId, 'graphs', `${run.view.id}.jsonl`), text);
  }

  it('counts the time before a stop, and lets the run resume once raised', async () => {
    const hangs = new Set(['flow b']);
    await withGraph(timed(1000), { story: [using100(hangs)] }, async (world) => {
      const next = await stoppedInB(world, hangs, 1000, 2);
      assert.deepEqual((await next.play(undefined, FLOW)).outcome, LATE);
      assert.deepEqual(asked(world), ['flow a', 'flow b'], 'no other request is made');
      const { view } = await runOf(next);
      assert.match(
        view.message ?? '',
        /^It did not finish within 1000 seconds\. Raise settings\.timeout in .*graph\.yaml/,
      );
      await changeGraph(world, timed(5000));
      const { outcome } = await (await next.restart()).play(undefined, FLOW);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'over' });
    });
  });

  it('does not count the time in between, even when retried from a later node', async () => {
    const hangs = new Set(['flow b']);
    await withGraph(timed(1000), { story: [using100(hangs)] }, async (world) => {
      const next = await stoppedInB(world, hangs, 9000, 99);
      assert.deepEqual((await next.play(undefined, FLOW)).outcome, { kind: 'completed', answer: 'over' });
      await graphRuns(next).retry((await runOf(next)).view.id, { at: 'd' });
      const again = await (await next.restart()).play(undefined, FLOW);
      assert.deepEqual(again.outcome, { kind: 'completed', answer: 'over' });
    });
  });
});
