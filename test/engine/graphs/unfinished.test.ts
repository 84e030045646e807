import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentHandle, GraphRuns } from '../../../src/engine';
import { FileSessionStore } from '../../../src/engine/sessions/fileSessionStore';
import { nodePorts } from '../../../src/node/nodePorts';
import { aMoment } from '../../support/aMoment';
import type { Step } from '../../support/modelServer/story';
import { withoutItsLock } from '../../support/withoutItsLock';
import { FLOW, graphOf, graphRuns, recordText, runOf, withGraph } from './graphWorld';
import { Person } from './person';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

const map = (list: string, nodes: string) =>
  graphOf(
    `  a: { type: map, over: "{{list}}", as: item, branch: each, collect_into: all, max_concurrency: 2, next: done }\n${nodes}  done: { type: end, output: "{{all}}" }\n`,
    `initial_state: { list: [${list}] }\n`,
  );

/** Answers by the first line of the question, with the line itself by default. */
function replying(to: Readonly<Record<string, Step>>) {
  const step = ({ lastText }: { lastText: string }) => {
    const [asked = ''] = lastText.split('\n');
    return to[asked] ?? { say: asked };
  };
  return { when: () => true, step };
}

const HANGS = { fail: 'hang' as const };
const FAILS = { fail: { status: 400 } };

/** Returns the item counts of the map by the node that ran for them, without zeros. */
async function itemsOf(world: Parameters<typeof runOf>[0]): Promise<Record<string, Record<string, number>>> {
  const branches = (await runOf(world)).view.nodes.findLast(({ node }) => node === 'a')?.branches ?? [];
  return Object.fromEntries(
    branches.map(({ node, ...counts }) => [
      node,
      Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    ]),
  );
}

/** Resolves once this many items of a map are done. */
function untilProgress(handle: AgentHandle, items: number): Promise<void> {
  return new Promise((resolve) => {
    handle.subscribe((event) => {
      if (event.type === 'node-progress' && event.done === items) resolve();
    });
  });
}

describe('The record of unfinished nodes', () => {
  it('shows for a sibling of a failed node that it was stopped, when, and by which', async () => {
    const graph = graphOf(
      '  a: { type: llm, prompt: a, next: [b, c] }\n  b: { type: llm, prompt: b, next: done }\n  c: { type: llm, prompt: c, next: done }\n  done: { type: end }\n',
    );
    let now = 1_000_000;
    const step = ({ lastText }: { lastText: string }): Step => {
      if (lastText === 'b') now += 5000;
      return { b: FAILS, c: HANGS }[lastText] ?? { say: lastText };
    };
    const story = [{ when: () => true, step }];
    await withGraph(graph, { story, now: () => now }, async (world) => {
      assert.equal((await world.play('go', FLOW)).outcome.kind, 'failed');
      const { view } = await runOf(world);
      assert.deepEqual(
        view.nodes.map(({ node, state, durationMs }) => [node, state, durationMs]),
        [
          ['a', 'done', 0],
          ['b', 'failed', 5000],
          ['c', 'stopped', 5000],
        ],
      );
      assert.equal(view.nodes[2]?.message, 'It was stopped because “b” failed.');
    });
  });

  it('shows why a node with a fallback failed, and that the run continued there', async () => {
    const graph = graphOf(
      '  a: { type: llm, prompt: a, fallback: b, next: done }\n  b: { type: llm, prompt: b, next: done }\n  done: { type: end }\n',
    );
    await withGraph(graph, { story: [replying({ a: FAILS })] }, async (world) => {
      const { events } = await world.play('go', FLOW);
      const [first, second] = (await runOf(world)).view.nodes;
      assert.deepEqual([first?.state, first?.targets, second?.state], ['around', ['b'], 'done']);
      assert.match(first?.message ?? '', /400/);
      const told = events.flatMap((event) => (event.type === 'node-finished' ? [event.failure ?? 'none'] : []));
      assert.match(told[0] ?? '', /400/);
      assert.deepEqual(told.slice(1), ['none', 'none']);
    });
  });

  const FITS = 'output_schema: { type: object, required: [k], properties: { k: { type: integer } } }';
  const fitting = `  each: { type: llm, prompt: "{{item}}", ${FITS} }\n`;

  it('shows which map items failed, were stopped by that, or never started', async () => {
    const replies = {
      one: { say: '{"k":1}' },
      two: { say: 'no JSON at all', hold: 'two' },
      three: HANGS,
    };
    await withGraph(map('one, two, three, four, five', fitting), { story: [replying(replies)] }, async (world) => {
      const going = world.play('go', FLOW);
      await world.server.untilRequests(3);
      assert.deepEqual(await itemsOf(world), { each: { done: 1, begun: 2, left: 2 } });
      world.server.release('two');
      assert.match(JSON.stringify((await going).outcome), /Item 2 of 5/);
      assert.deepEqual(await itemsOf(world), { each: { done: 1, failed: 1, stopped: 1, left: 2 } });
    });
  });

  it('shows map items as running after a restart, and as stopped after a cancellation', async () => {
    const replies: Record<string, Step> = { one: { say: '{"k":1}' }, two: HANGS, three: HANGS };
    await withGraph(map('one, two, three, four', fitting), { story: [replying(replies)] }, async (world) => {
      void world.run('go', FLOW);
      await world.server.untilRequests(3);
      await world.engine.shutDown();
      const next = await world.restart();
      replies['two'] = { say: '{"k":2}' };
      const going = next.run(undefined, FLOW);
      await untilProgress(going, 2);
      assert.deepEqual(await itemsOf(next), { each: { done: 2, begun: 2 } });
      going.cancel();
      assert.deepEqual(await going.outcome, { kind: 'cancelled' });
      assert.deepEqual(await itemsOf(next), { each: { done: 2, stopped: 2 } });
      assert.deepEqual(
        (await runOf(next)).view.nodes.map(({ state, durationMs }) => [state, durationMs !== null]),
        [
          ['stopped', false],
          ['stopped', true],
        ],
      );
    });
  });

  it('shows items whose branch was retried, and those replaced by a fallback', async () => {
    const nodes =
      '  each: { type: llm, prompt: "do {{item}}", retry: { attempts: 2, delay: 0 }, fallback: other }\n  other: { type: llm, prompt: "or {{item}}", fallback: done }\n';
    const replies = { 'do two': FAILS, 'do three': FAILS, 'or three': FAILS };
    await withGraph(map('one, two, three', nodes), { story: [replying(replies)] }, async (world) => {
      assert.equal((await world.play('go', FLOW)).outcome.kind, 'completed');
      assert.deepEqual(await itemsOf(world), {
        each: { done: 1, around: 2, retried: 2 },
        other: { done: 1, around: 1 },
      });
    });
  });
});

describe('An unfinished graph run', () => {
  const graph = graphOf(
    '  a: { type: llm, prompt: a, next: b }\n  b: { type: llm, prompt: b, next: done }\n  done: { type: end, output: over }\n',
  );

  it('resumes even when its record marks a step as done twice', async () => {
    const replies: Record<string, Step> = { b: HANGS };
    await withGraph(graph, { story: [replying(replies)] }, async (world) => {
      void world.run('go', FLOW);
      await world.server.untilRequests(2);
      await world.engine.shutDown();
      const run = await runOf(world);
      const path = join(world.sessionsFolder, run.sessionId, 'graphs', `${run.view.id}.jsonl`);
      const record = await readFile(path, 'utf8');
      assert.match(record, /"step-done"/);
      await writeFile(
        path,
        record.replace(/^.*"step-done".*\n/m, (line) => line + line),
      );
      replies['b'] = { say: 'x' };
      const { outcome } = await (await world.restart()).play(undefined, FLOW);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'over' });
    });
  });

  it('is retried with everything before the node, or not at all', async () => {
    await withGraph(graph, { story: [replying({ b: FAILS })] }, async (world) => {
      await world.play('go', FLOW);
      const { view } = await runOf(world);
      const { files, ...ports } = nodePorts({ env: {}, ripgrepCandidates: [], watches: false, log });
      for (const writes of [0, 1, 2]) {
        let left = writes;
        const full = () => Promise.reject(new Error('No space left.'));
        const limited: typeof files = {
          ...files,
          appendLine: (...given) => (--left < 0 ? full() : files.appendLine(...given)),
          writeFile: (...given) => (--left < 0 ? full() : files.writeFile(...given)),
        };
        const runs = new GraphRuns(world.engine.sessions, { ...ports, files: limited });
        await runs.retry(view.id, { at: 'b', changes: { x: 1 } }).catch(() => undefined);
      }
      const { runs } = await graphRuns(world).list();
      assert.ok(runs.length > 1);
      for (const run of runs.filter(({ view: { from } }) => from)) {
        const record = await recordText(world, run);
        assert.match(record, /"step-done"[^]*"type":"edited"/);
      }
    });
  });

  it('continues if it was retried and its process was killed while it asked', async () => {
    const graph = graphOf(
      '  a: { type: llm, prompt: a, next: gate }\n  gate: { type: approval, question: "On?", options: [Yes], routes: { Yes: z }, on_other: z, state_updates: { said: "{{choice}}" } }\n  z: { type: end, output: "{{said}}" }\n',
    );
    const person = new Person();
    await withGraph(graph, { story: [{ say: 'A' }], answer: person.answer }, async (world) => {
      const first = world.play('go', FLOW);
      await person.reply('On?', 'Yes');
      assert.deepEqual((await first).outcome, { kind: 'completed', answer: 'Yes' });
      const { id } = await graphRuns(world).retry((await runOf(world)).view.id, { at: 'gate' });
      world.run(undefined, { ...FLOW, graphRun: { id, isRetry: true } });
      await person.untilAsked('On?');
      await withoutItsLock(world);
      const next = await world.restart();
      const again = next.play(undefined, FLOW);
      while (person.asked.length < 3) await aMoment();
      await person.reply('On?', 'Later');
      assert.deepEqual((await again).outcome, { kind: 'completed', answer: 'Later' });
      assert.deepEqual((await runOf(next)).view.state, 'completed');
      assert.equal((await runOf(next)).view.id, id);
    });
  });

  it('is carried out as itself, although another was created at the same moment', async () => {
    const replies: Record<string, Step> = { b: FAILS };
    const shown = graph.replace('output: over', 'output: "{{x}}"');
    await withGraph(shown, { story: [replying(replies)] }, async (world) => {
      await world.play('go', FLOW);
      const { view, sessionId } = await runOf(world);
      const created = await Promise.all(
        ['one', 'two', 'three'].map((x) => graphRuns(world).retry(view.id, { at: 'b', changes: { x } })),
      );
      replies['b'] = { say: 'b' };
      const answers: string[] = [];
      for (const { id } of created) {
        const outcome = await world.engine.run({ sessionId, ...FLOW, graphRun: { id, isRetry: true } }).outcome;
        answers.push(outcome.kind === 'completed' ? outcome.answer : outcome.kind);
      }
      assert.deepEqual(answers, ['one', 'two', 'three']);
      const states = await Promise.all(created.map(({ id }) => graphRuns(world).find(id)));
      assert.deepEqual(
        states.map((run) => [run.view.state, run.view.answer]),
        answers.map((answer) => ['completed', answer]),
      );
    });
  });

  it('is not continued once another was started after it, nor says its answer twice', async () => {
    const replies: Record<string, Step> = { b: FAILS };
    await withGraph(graph, { story: [replying(replies)] }, async (world) => {
      await world.play('go', FLOW);
      const { view, sessionId } = await runOf(world);
      const { id } = await graphRuns(world).retry(view.id, { at: 'b' });
      const going = (run: string) =>
        world.engine.run({ sessionId, ...FLOW, graphRun: { id: run, isRetry: false } }).outcome;
      assert.match(JSON.stringify(await going(view.id)), new RegExp(`because ${id} was started after it`));
      replies['b'] = { say: 'b' };
      const over = { kind: 'completed', answer: 'over' };
      assert.deepEqual(await going(id), over);
      assert.deepEqual(await going(id), over, 'as in a process that waited for the first');
      const { messages } = await world.engine.sessions.open(sessionId);
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['user', 'assistant'],
      );
    });
  });

  it('can be retried from the node that it would have begun with, if it ended before that', async () => {
    const replies: Record<string, Step> = { b: FAILS };
    const shown = graph.replace('output: over', 'output: "{{x}}"');
    await withGraph(shown, { story: [replying(replies)] }, async (world) => {
      await world.play('go', FLOW);
      const runs = graphRuns(world);
      const first = (await runOf(world)).view.id;
      const waited = await runs.retry(first, { at: 'b', changes: { x: 'one' } });
      await runs.retry(first, { at: 'b' });
      replies['b'] = { say: 'b' };
      await assert.rejects(runs.retry(waited.id, { at: 'done' }), /did not reach a node “done”/);
      const again = await runs.retry(waited.id, { at: 'b' });
      const going = { sessionId: again.sessionId, ...FLOW, graphRun: { id: again.id, isRetry: true } };
      assert.deepEqual(await world.engine.run(going).outcome, { kind: 'completed', answer: 'one' });
    });
  });

  it('cannot be retried from a node that it did not reach', async () => {
    await withGraph(graph, { story: [replying({ b: FAILS })] }, async (world) => {
      await world.play('go', FLOW);
      const { view } = await runOf(world);
      const from = (at: string | number) => graphRuns(world).retry(view.id, { at });
      await assert.rejects(from('done'), { message: `The run ${view.id} did not reach a node “done”. It ran: a, b.` });
      await assert.rejects(from(2), { message: `The run ${view.id} never reached step 2; it has 1.` });
    });
  });

  it('cannot be retried while it runs elsewhere, nor stopped while it does not', async () => {
    await withGraph(graph, { story: [replying({ b: FAILS })] }, async (world) => {
      await world.play('go', FLOW);
      const { sessionId, view } = await runOf(world);
      const ports = nodePorts({ env: {}, ripgrepCandidates: [], watches: false, log });
      const held = await new FileSessionStore(world.sessionsFolder, ports).hold(sessionId);
      await assert.rejects(graphRuns(world).retry(view.id, { at: 'b' }), /is running\. Stop it first\.$/);
      await held?.release();
      assert.equal((await graphRuns(world).retry(view.id, { at: 'b' })).sessionId, sessionId);
      const none = graphRuns(world).request({ sessionId, view, isHeld: false }, 'stop');
      await assert.rejects(none, { reason: 'invalid-state' });
    });
  });
});
