import assert from 'node:assert/strict';
import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isGone } from '../../support/isGone';
import { type ScriptWorld, warnings } from '../../support/scriptWorld';
import { graphRuns, nodesOf, runOf, withGraph } from './graphWorld';
import { aMoment } from '../../support/aMoment';

const play = (world: ScriptWorld, input = 'Hello') => world.play(input, { agent: 'flow' });

const graphOf = (nodes: string) => `name: flow\nstart: a\nnodes:\n${nodes}`;

describe('A stopped graph', () => {
  const graph = graphOf(
    `
  a: { type: llm, prompt: "First", state_updates: { one: "{{output}}" }, next: [b, c] }
  b: { type: llm, prompt: "Second", state_updates: { two: "{{output}}" }, next: d }
  c: { type: llm, prompt: "Third", state_updates: { three: "{{output}}" }, next: d }
  d: { type: end, output: "{{one}} {{two}} {{three}}" }
`,
  );

  it('resumes in another process without repeating finished nodes', async () => {
    const asked: string[] = [];
    const story = [
      {
        when: ({ lastText }: { lastText: string }) => lastText.includes('Third') && !asked.includes('Third'),
        step: () => {
          asked.push('Third');
          return { fail: 'hang' as const };
        },
      },
      {
        when: () => true,
        step: ({ lastText }: { lastText: string }) => {
          asked.push(lastText);
          return { say: lastText.toUpperCase() };
        },
      },
    ];
    await withGraph(graph, { story }, async (world) => {
      const handle = world.run('Hello', { agent: 'flow' });
      await new Promise<void>((resolve) => {
        handle.subscribe((event) => {
          if (event.type === 'node-finished' && event.node === 'b') resolve();
        });
      });
      await world.server.untilRequests(3);
      await world.engine.shutDown();
      const next = await world.restart();
      const { outcome, events } = await next.play(undefined, { agent: 'flow' });
      assert.deepEqual(outcome, { kind: 'completed', answer: 'FIRST SECOND THIRD' });
      assert.deepEqual(nodesOf(events), ['c', 'd']);
      assert.deepEqual(
        asked,
        ['First', 'Second', 'Third', 'Third'].toSorted((x, y) => asked.indexOf(x) - asked.indexOf(y)),
      );
    });
  });

  it('resumes after a failure with its original graph', async () => {
    let isBroken = true;
    const story = [
      {
        when: () => true,
        step: ({ lastText }: { lastText: string }) =>
          isBroken && lastText === 'Third' ? { fail: { status: 400 } } : { say: lastText.toUpperCase() },
      },
    ];
    await withGraph(graph, { story }, async (world) => {
      assert.equal((await play(world)).outcome.kind, 'failed');
      isBroken = false;
      await writeFile(`${world.folder}/.cairn/agents/flow/graph.yaml`, graph.replace('{{three}}', 'CHANGED'));
      const next = await world.restart();
      const { outcome, events } = await next.play(undefined, { agent: 'flow' });
      assert.deepEqual(outcome, { kind: 'completed', answer: 'FIRST SECOND THIRD' });
      assert.ok(!nodesOf(events).includes('a'));
      assert.match(warnings(events).join(), /The graph has changed since this run started/);
    });
  });

  it('is stopped by a request while a node works, which is cancelled', async () => {
    await withGraph(graph, { story: [{ fail: 'hang' }] }, async (world) => {
      const handle = world.run('Hello', { agent: 'flow' });
      await world.server.untilRequests(1);
      await graphRuns(world).request({ ...(await runOf(world)), isHeld: true }, 'stop');
      assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
      const { state, nodes } = (await runOf(world)).view;
      assert.deepEqual([state, nodes.map((node) => node.state)], ['stopped', ['stopped']]);
    });
  });

  it('is over only once its scripts have ended, even those that ignore SIGTERM', async () => {
    const scripted = graphOf('  a: { type: script, script: a.sh, next: b }\n  b: { type: end }\n');
    const text = "trap '' TERM\necho $$ > pid\nwhile :; do sleep 0.1; done\n";
    await withGraph(scripted, { files: { '.cairn/agents/flow/a.sh': text } }, async (world) => {
      const handle = world.run('Hello', { agent: 'flow' });
      const pid = async () => Number(await world.read('pid').catch(() => 0));
      while ((await pid()) === 0) await aMoment();
      handle.cancel();
      assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
      assert.ok(isGone(await pid()));
      assert.equal((await runOf(world)).view.state, 'stopped');
    });
  });

  it('resumes even when a stop was requested while it was not running', async () => {
    await withGraph(graph, { story: [{ fail: 'hang' }, { say: 'x' }, { say: 'y' }, { say: 'z' }] }, async (world) => {
      void world.run('Hello', { agent: 'flow' });
      await world.server.untilRequests(1);
      await world.engine.shutDown();
      const { view } = await runOf(world);
      await writeFile(join(world.sessionsFolder, world.sessionId, 'graphs', `${view.id}.request`), 'stop');
      const { outcome } = await (await world.restart()).play(undefined, { agent: 'flow' });
      assert.deepEqual(outcome, { kind: 'completed', answer: 'x y z' });
    });
  });

  it('starts over when the program was killed while writing the first line of its record', async () => {
    await withGraph(graph, { story: [{ fail: 'hang' }, { say: 'x' }, { say: 'y' }, { say: 'z' }] }, async (world) => {
      void world.run('Hello', { agent: 'flow' });
      await world.server.untilRequests(1);
      await world.engine.shutDown();
      const { view } = await runOf(world);
      await truncate(join(world.sessionsFolder, world.sessionId, 'graphs', `${view.id}.jsonl`), 40);
      const { outcome } = await (await world.restart()).play(undefined, { agent: 'flow' });
      assert.equal(outcome.kind, 'completed');
    });
  });

  for (const [what, line, lacks] of [
    ['the result of a node', /^\{"type":"node-done".*"node":"b".*\n/m, 'the result of “b” in step 1'],
    ['the end of a step', /^\{"type":"step-done".*"step":1.*\n/m, 'the end of step 1'],
  ] as const)
    it(`does not continue when its record lacks ${what}, but can be retried from before that`, async () => {
      const chain = graphOf(
        '  a: { type: llm, prompt: a, next: b }\n  b: { type: llm, prompt: b, next: c }\n  c: { type: llm, prompt: c, next: d }\n  d: { type: end, output: over }\n',
      );
      const story = [{ say: 'a' }, { say: 'b' }, { fail: 'hang' as const }, { say: 'b' }, { say: 'c' }];
      await withGraph(chain, { story }, async (world) => {
        void world.run('Hello', { agent: 'flow' });
        await world.server.untilRequests(3);
        await world.engine.shutDown();
        const { view } = await runOf(world);
        const path = join(world.sessionsFolder, world.sessionId, 'graphs', `${view.id}.jsonl`);
        const record = await readFile(path, 'utf8');
        assert.match(record, line);
        await writeFile(path, record.replace(line, '{"type":"garbled\n'));
        const next = await world.restart();
        const { outcome } = await next.play(undefined, { agent: 'flow' });
        assert.match(JSON.stringify(outcome), new RegExp(`The record of the run lacks ${lacks}, so`));
        assert.equal(world.server.requests.length, 3);
        await assert.rejects(graphRuns(next).retry(view.id, { at: 'c' }), { reason: 'damaged' });
        await graphRuns(next).retry(view.id, { at: 'b' });
        const again = await (await next.restart()).play(undefined, { agent: 'flow' });
        assert.deepEqual(again.outcome, { kind: 'completed', answer: 'over' });
      });
    });

  it('is followed by a run of its own for a later message, even one that was stopped before it began', async () => {
    await withGraph(graphOf('  a: { type: end, output: "{{initial_prompt}}" }\n'), {}, async (world) => {
      assert.deepEqual((await play(world, 'One')).outcome, { kind: 'completed', answer: 'One' });
      const { view } = await runOf(world);
      await play(world, 'Two');
      const second = await runOf(world);
      assert.notEqual(second.view.id, view.id);
      await rm(join(world.sessionsFolder, world.sessionId, 'graphs', `${second.view.id}.jsonl`));
      const { outcome } = await (await world.restart()).play(undefined, { agent: 'flow' });
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Two' });
    });
  });

  const scored = graphOf(
    '  a: { type: llm, prompt: p, output_schema: { type: object, required: [k] }, next: b }\n  b: { type: end }\n',
  );
  for (const [what, written] of [
    ['another node', graph],
    ['another question to its model', scored],
  ] as const)
    it(`ends when its record can no longer be written, before ${what}`, async () => {
      await withGraph(written, { story: [{ say: 'x', hold: 'a' }] }, async (world) => {
        const going = play(world);
        await world.server.untilRequests(1);
        const { view } = await runOf(world);
        const path = join(world.sessionsFolder, world.sessionId, 'graphs', `${view.id}.jsonl`);
        await rm(path);
        await mkdir(path);
        world.server.release('a');
        const { outcome } = await going;
        assert.match(JSON.stringify(outcome), new RegExp(`"failed".*${view.id}\\.jsonl`));
        assert.equal(world.server.requests.length, 1);
      });
    });

  it('is missing from the list when its record is damaged, which the list reports beside the others', async () => {
    const ended = graphOf('  a: { type: end, output: x }\n');
    await withGraph(ended, {}, async (world) => {
      await play(world);
      const { view } = await runOf(world);
      await play(world);
      await writeFile(join(world.sessionsFolder, world.sessionId, 'graphs', `${view.id}.jsonl`), 'damaged\n');
      // A session in which no graph ran.
      const plain = { workspace: world.folder, model: null, name: null, approvalMode: 'nothing' } as const;
      await world.engine.sessions.create(plain);
      const { runs, problems } = await graphRuns(world).list();
      assert.equal(runs.length, 1);
      assert.notEqual(runs[0]?.view.id, view.id);
      assert.match(problems.join('|'), new RegExp(`^[^|]*${view.id}\\.jsonl is not the record of a graph run`));
    });
  });
});

describe('The end of a graph', () => {
  it('can answer with what it writes itself', async () => {
    const graph = graphOf('  a: { type: end, state_updates: { said: "<{{initial_prompt}}>" }, output: "{{said}}" }\n');
    await withGraph(graph, {}, async (world) => {
      assert.deepEqual((await play(world)).outcome, { kind: 'completed', answer: '<Hello>' });
    });
  });

  it('reports where other branches would have continued', async () => {
    const graph = graphOf(
      '  a: { type: llm, prompt: a, next: [b, c] }\n  b: { type: end, output: over }\n  c: { type: llm, prompt: c, next: d }\n  d: { type: end }\n',
    );
    await withGraph(graph, { story: [{ say: 'a' }, { say: 'c' }] }, async (world) => {
      const { outcome, events } = await play(world);
      assert.deepEqual(outcome, { kind: 'completed', answer: 'over' });
      const text = 'The graph ended at “b” before reaching d. Join the branches before the end.';
      assert.deepEqual(warnings(events), [text]);
    });
  });
});
