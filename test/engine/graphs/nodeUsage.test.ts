import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GraphRecords } from '../../../src/engine/graphs/record/graphRecords';
import { visitDetail } from '../../../src/engine/graphs/record/graphRuns';
import { nodePorts } from '../../../src/node/nodePorts';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import { FLOW, graphOf, graphRuns, READ, runOf, withGraph } from './graphWorld';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

const FILES = {
  '.cairn/agents/helper.md': '---\nmode: primary\ndescription: Helps\n---\nYou help.\n',
  'note.txt': 'blue\n',
};
const usage = (input: number) => ({ input, output: 1 });

describe('The usage of a node', () => {
  const agent = graphOf(
    '  a: { type: agent, agent: helper, prompt: help, next: done }\n  done: { type: end, output: over }\n',
  );

  it('is known while it runs, and accumulates across a stop of the run', async () => {
    const story = [{ ...READ, usage: usage(99) }, { fail: 'hang' as const }, { say: 'It is blue.', usage: usage(199) }];
    await withGraph(agent, { story, files: FILES }, async (world) => {
      void world.run('go', FLOW);
      await world.server.untilRequests(2);
      assert.equal((await runOf(world)).view.nodes[0]?.tokens, 100);
      await world.engine.shutDown();
      const next = await world.restart();
      await next.play(undefined, FLOW);
      const { view } = await runOf(next);
      assert.deepEqual(
        view.nodes.map(({ node, state, tokens }) => [node, state, tokens]),
        [
          ['a', 'stopped', 100],
          ['a', 'done', 300],
          ['done', 'done', 0],
        ],
      );
      assert.equal(view.tokens, 300);
    });
  });

  it('includes failed attempts, and an answer given before the graph recorded it', async () => {
    const tried = agent.replace('prompt: help', 'prompt: help, retry: { attempts: 2, delay: 0 }');
    const story = [{ ...READ, usage: usage(9) }, { fail: { status: 400 } }, { say: 'It is blue.', usage: usage(19) }];
    await withGraph(tried, { story, files: FILES }, async (world) => {
      await world.play('go', FLOW);
      const run = await runOf(world);
      assert.deepEqual([run.view.nodes[0]?.tokens, run.view.tokens], [30, 30]);
      const path = join(world.sessionsFolder, run.sessionId, 'graphs', `${run.view.id}.jsonl`);
      const record = await readFile(path, 'utf8');
      await writeFile(path, record.slice(0, record.indexOf('{"type":"node-done"')));
      await (await world.restart()).play(undefined, FLOW);
      assert.equal(world.server.requests.length, 3, 'it had answered');
      assert.equal((await runOf(world)).view.tokens, 30);
    });
  });

  it('includes each item of a map once, even those before a failure', async () => {
    const map = graphOf(
      '  a: { type: map, over: "{{list}}", as: item, branch: each, collect_into: all, max_concurrency: 1, next: done }\n  each: { type: llm, prompt: "{{item}}" }\n  done: { type: end, output: "{{all}}" }\n',
      'initial_state: { list: [one, two, three] }\n',
    );
    let isBroken = true;
    const story = [
      {
        when: () => true,
        step: ({ lastText }: Pick<ModelRequest, 'lastText'>) =>
          isBroken && lastText === 'two' ? { fail: { status: 400 } } : { say: lastText, usage: usage(9) },
      },
    ];
    await withGraph(map, { story }, async (world) => {
      await world.play('go', FLOW);
      assert.equal((await runOf(world)).view.tokens, 10);
      isBroken = false;
      await (await world.restart()).play(undefined, FLOW);
      const { view } = await runOf(world);
      assert.deepEqual([view.nodes.at(-2)?.tokens, view.tokens], [30, 30]);
    });
  });
});

describe('The calls of a node', () => {
  it('are stored with title, outcome and time, item by item, and without secrets', async () => {
    const map = graphOf(
      '  a: { type: map, over: "{{list}}", as: item, branch: each, collect_into: all, next: done }\n  each: { type: agent, agent: helper, prompt: "read {{item}}" }\n  done: { type: end, output: over }\n',
      'initial_state: { list: [note.txt, missing.txt] }\n',
    );
    const story = [
      {
        when: () => true,
        step: ({ lastText }: Pick<ModelRequest, 'lastText'>) => {
          const [, path] = /^read (.*)$/.exec(lastText) ?? [];
          return path === undefined ? { say: 'read' } : { call: [{ name: 'fs_read', arguments: { path } }] };
        },
      },
    ];
    await withGraph(map, { story, files: FILES }, async (world) => {
      await world.play('go', FLOW);
      const { sessionId, view } = await runOf(world);
      const { record } = await graphRuns(world).read(sessionId, view.id);
      const { calls } = await visitDetail(record, { node: 'a', step: 0 });
      const told = calls.map(({ index, tool, title, status }) => [index, tool, title.includes('.txt'), status]);
      assert.deepEqual(
        told.toSorted((one, other) => Number(one[0]) - Number(other[0])),
        [
          [0, 'fs_read', true, 'ok'],
          [1, 'fs_read', true, 'error'],
        ],
      );
      assert.ok(calls.every(({ durationMs }) => durationMs >= 0));
      const folder = join(world.folder, 'struck');
      const records = new GraphRecords(folder, {
        ...nodePorts({ env: {}, ripgrepCandidates: [], watches: false, log }),
        strike: (text) => text.replaceAll('note.txt', '•••'),
      });
      const state = { 'note.txt': [{ 'see note.txt': 1 }] };
      const edited = { type: 'edited', time: 1, step: 0, state } as const;
      for (const entry of [record.begun, ...record.entries, edited]) await records.add(view.id, entry);
      const kept = await readFile(join(folder, 'graphs', `${view.id}.jsonl`), 'utf8');
      assert.match(kept, /"title":"[^"]*•••/);
      assert.doesNotMatch(kept, /note\.txt/);
    });
  });
});

describe('The budget of a node', () => {
  const FITS = 'output_schema: { type: object, required: [k], properties: { k: { type: integer } } }';

  it('persists across a stop of the run, and is renewed for a failed node', async () => {
    const graph = graphOf(
      '  a: { type: agent, agent: helper, prompt: help, budget: { tokens: 250 }, next: done }\n  done: { type: end, output: over }\n',
    );
    const story = [
      { ...READ, usage: usage(99) },
      { fail: 'hang' as const },
      { ...READ, usage: usage(199) },
      { say: 'It is blue.', usage: usage(49) },
    ];
    await withGraph(graph, { story, files: FILES }, async (world) => {
      void world.run('go', FLOW);
      await world.server.untilRequests(2);
      await world.engine.shutDown();
      const next = await world.restart();
      const { outcome } = await next.play(undefined, FLOW);
      assert.match(JSON.stringify(outcome), /The node “a” failed/);
      assert.equal(world.server.requests.length, 3, 'with 300 of 250 tokens no other request is made');
      const again = await (await next.restart()).play(undefined, FLOW);
      assert.deepEqual(again.outcome, { kind: 'completed', answer: 'over' });
      assert.equal((await runOf(world)).view.tokens, 350);
    });
  });

  it('ends the repair of an answer, and a map before its next item', async () => {
    const repaired = graphOf(
      `  a: { type: llm, prompt: p, ${FITS}, budget: { tokens: 10 }, next: done }\n  done: { type: end }\n`,
    );
    const bad = { when: () => true, step: () => ({ say: 'no JSON', usage: usage(9) }) };
    await withGraph(repaired, { story: [bad] }, async (world) => {
      const { outcome } = await world.play('go', FLOW);
      assert.match(JSON.stringify(outcome), /The node “a” failed: It used up its budget of 10 tokens\./);
      assert.equal(world.server.requests.length, 1);
      assert.equal((await runOf(world)).view.tokens, 10);
    });
    const map = graphOf(
      '  a: { type: map, over: "{{list}}", as: item, branch: each, collect_into: all, max_concurrency: 1, budget: { tokens: 20 }, next: done }\n  each: { type: llm, prompt: "{{item}}" }\n  done: { type: end, output: "{{all}}" }\n',
      'initial_state: { list: [one, two, three] }\n',
    );
    await withGraph(map, { story: [bad] }, async (world) => {
      const { outcome } = await world.play('go', FLOW);
      assert.match(JSON.stringify(outcome), /Item 3 of 3: It used up its budget of 20 tokens\./);
      assert.equal(world.server.requests.length, 2);
    });
  });
});
