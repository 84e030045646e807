import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { untilAborted } from '../../../src/base/abort';
import { Deferred } from '../../../src/base/async';
import { GraphRecords } from '../../../src/engine/graphs/record/graphRecords';
import { visitDetail } from '../../../src/engine/graphs/record/graphRuns';
import { nodePorts } from '../../../src/node/nodePorts';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import { graphRuns, runOf, withGraph } from './graphWorld';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

const FLOW = { agent: 'flow' };
const graphOf = (nodes: string, more = '') => `name: flow\nversion: "1.1"\nstart: a\n${more}nodes:\n${nodes}`;
const FILES = {
  '.cairn/agents/helper.md': '---\nmode: primary\ndescription: Helps\n---\nYou help.\n',
  'note.txt': 'blue\n',
};
const READ = { call: [{ name: 'fs_read', arguments: { path: 'note.txt' } }] };
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

describe('A node', () => {
  const end = '  done: { type: end, output: "{{said}} {{heard}}" }\n';

  it('uses the temperature and top_p of its graph when it sets none (D-7)', async () => {
    const graph = graphOf(
      '  a: { type: llm, prompt: one, next: b }\n  b: { type: llm, prompt: two, temperature: 1.5, next: done }\n' + end,
      'model: openai:gpt-4o\ntemperature: 0.25\ntop_p: 0.5\n',
    );
    await withGraph(graph, { story: [{ say: 'One.' }, { say: 'Two.' }] }, async (world) => {
      await world.play('go', FLOW);
      const sampling = z.object({ temperature: z.number(), top_p: z.number() });
      assert.deepEqual(
        world.server.requests.map(({ body }) => sampling.parse(body)),
        [
          { temperature: 0.25, top_p: 0.5 },
          { temperature: 1.5, top_p: 0.5 },
        ],
      );
    });
  });

  it('reads its updates from the state before all of them (D-12)', async () => {
    const graph = graphOf(
      '  a: { type: llm, prompt: one, state_updates: { said: "{{heard}}", heard: "{{said}}" }, next: done }\n' + end,
      'initial_state: { said: before, heard: after }\n',
    );
    await withGraph(graph, { story: [{ say: 'One.' }] }, async (world) => {
      assert.deepEqual((await world.play('go', FLOW)).outcome, { kind: 'completed', answer: 'after before' });
    });
  });

  it('may ask the user only when it names the tool (D-15), and an agent that asks is answered (D-17)', async () => {
    const graph = graphOf(
      '  a: { type: llm, prompt: one, tools: [fs_read], next: b }\n  b: { type: agent, agent: helper, prompt: help, state_updates: { said: "{{output}}" }, next: done }\n' +
        end,
      'initial_state: { heard: now }\n',
    );
    const ask = { call: [{ name: 'user__ask', arguments: { question: 'Which one?', options: ['Red', 'Blue'] } }] };
    const story = [{ say: 'One.' }, ask, { say: 'Blue it is.' }];
    const answer = () => ({ kind: 'answered' as const, texts: ['Blue'] });
    await withGraph(graph, { story, files: FILES, answer }, async (world) => {
      assert.deepEqual((await world.play('go', FLOW)).outcome, { kind: 'completed', answer: 'Blue it is. now' });
      const [first, second, third] = world.server.requests;
      assert.deepEqual(first?.tools, ['fs_read']);
      assert.ok(second?.tools.includes('user__ask'));
      assert.match(third?.lastText ?? '', /Blue/);
    });
  });

  it('gets the skills that it or its graph names, whatever its tools, unless it disables them', async () => {
    const graph = graphOf(
      '  a: { type: llm, prompt: one, next: b }\n  b: { type: llm, prompt: two, skills_enabled: false, next: c }\n  c: { type: llm, prompt: three, tools: [fs_read], enabled_skills: [mine], next: done }\n  done: { type: end }\n',
      'skills_enabled: true\nenabled_skills: [mine]\n',
    );
    const files = { '.cairn/skills/mine/SKILL.md': '---\ndescription: Mine\n---\nMine.\n' };
    await withGraph(graph, { files, story: [{ say: 'One.' }, { say: 'Two.' }, { say: 'Three.' }] }, async (world) => {
      await world.play('go', FLOW);
      const [first, second, third] = world.server.requests;
      assert.ok(first?.tools.includes('skill__load'), 'those of the graph');
      assert.deepEqual(second?.tools, []);
      assert.ok(third?.tools.includes('skill__load'), 'beside its own tools');
    });
  });

  it('asks its model again after a transient error, at most max_attempts times', async () => {
    const reset = { status: 400, body: { error: { message: 'Connection reset by peer' } } };
    for (const [attempts, fail, requests, how] of [
      [3, reset, 3, 'completed'],
      [2, reset, 2, 'failed'],
      [3, { status: 400 }, 1, 'failed'],
    ] as const) {
      const graph = graphOf(`  a: { type: llm, prompt: one, max_attempts: ${attempts}, next: done }\n${end}`);
      await withGraph(graph, { story: [{ fail }, { fail }, { say: 'One.' }] }, async (world) => {
        assert.equal((await world.play('go', FLOW)).outcome.kind, how);
        assert.equal(world.server.requests.length, requests);
      });
    }
  });

  it('fails once its model has made max_iterations requests without an answer', async () => {
    const graph = graphOf(
      `  a: { type: llm, prompt: one, tools: [fs_read], max_iterations: 2, next: done, fallback: b }\n  b: { type: llm, prompt: two, next: done }\n${end}`,
    );
    await withGraph(graph, { story: [READ, READ, { say: 'Two.' }], files: FILES }, async (world) => {
      assert.equal((await world.play('go', FLOW)).outcome.kind, 'completed');
      assert.deepEqual(
        world.server.requests.map(({ lastText }) => lastText),
        ['one', '1\tblue', 'two'],
      );
    });
  });

  it('is retried after delays that grow by its factor', async () => {
    const graph = graphOf(
      `  a: { type: llm, prompt: one, retry: { attempts: 4, delay: 2, factor: 3 }, next: done }\n${end}`,
    );
    const delays: number[] = [];
    const sleep = (ms: number, signal: AbortSignal) => {
      if (ms < 2000 || ms > 20_000) return untilAborted(new Deferred<void>().promise, signal);
      delays.push(ms);
      return Promise.resolve();
    };
    const fails = { fail: { status: 400 } };
    await withGraph(graph, { story: [fails, fails, fails, { say: 'One.' }], sleep }, async (world) => {
      assert.equal((await world.play('go', FLOW)).outcome.kind, 'completed');
      assert.deepEqual(delays, [2000, 6000, 18_000]);
    });
  });

  it('overrides the skill settings of its graph, one by one', async () => {
    const node = (id: string, next: string, more: string) =>
      `  ${id}: { type: llm, prompt: ${id}, next: ${next}${more} }\n`;
    const graph = graphOf(
      `${node('a', 'b', '')}${node('b', 'c', ', skills_enabled: true')}${node('c', 'd', ', skills_enabled: true, skill_instructions: Of the node.')}${node('d', 'done', ', skills_enabled: true, inject_skill_instructions: false')}  done: { type: end }\n`,
      'skills_enabled: false\nenabled_skills: [mine]\nskill_instructions: Of the graph.\n',
    );
    const files = { '.cairn/skills/mine/SKILL.md': '---\ndescription: Mine\n---\nMine.\n' };
    await withGraph(graph, { files, story: [{ when: () => true, step: { say: 'Yes.' } }] }, async (world) => {
      await world.play('go', FLOW);
      const told = world.server.requests.map(({ tools, messages }) => {
        const system = messages.find(({ role }) => role === 'system')?.text ?? '';
        return [tools.includes('skill__load'), /Of the (graph|node)\./.exec(system)?.[1]];
      });
      assert.deepEqual(told, [
        [false, undefined],
        [true, 'graph'],
        [true, 'node'],
        [true, undefined],
      ]);
    });
  });

  it('makes as many attempts as it may only after errors that may pass', async () => {
    const graph = graphOf(`  a: { type: llm, prompt: one, max_attempts: 3, fallback: done, next: done }\n${end}`);
    const askedAfter = async (message: string) => {
      let asked = 0;
      const story = [{ when: () => true, step: { fail: { status: 400, body: { error: { message } } } } }];
      await withGraph(graph, { story }, async (world) => {
        await world.play('go', FLOW);
        asked = world.server.requests.length;
      });
      return asked;
    };
    assert.equal(await askedAfter('The upstream timed out'), 3);
    assert.equal(await askedAfter('No such model'), 1);
  });

  it('makes another attempt after an answer that was cut off', async () => {
    const graph = (attempts: number) =>
      graphOf(`  a: { type: llm, prompt: one, max_attempts: ${attempts}, fallback: done, next: done }\n${end}`);
    const asked: number[] = [];
    for (const attempts of [1, 2]) {
      await withGraph(
        graph(attempts),
        { story: [{ when: () => true, step: { fail: 'end-early' } }] },
        async (world) => {
          await world.play('go', FLOW);
          asked.push(world.server.requests.length);
        },
      );
    }
    const [once = 0, twice] = asked;
    assert.ok(once > 0);
    assert.equal(twice, 2 * once);
  });

  it('fails once it has made as many requests as it may', async () => {
    const graph = graphOf(`  a: { type: llm, prompt: one, tools: [fs_read], max_iterations: 2, next: done }\n${end}`);
    await withGraph(graph, { story: [{ when: () => true, step: READ }], files: FILES }, async (world) => {
      assert.match(JSON.stringify((await world.play('go', FLOW)).outcome), /The node “a” failed: .*limit of turns/);
      assert.equal(world.server.requests.length, 2);
    });
  });

  it('waits for a free slot among the running nodes', async () => {
    const graph = graphOf(
      `  a: { type: llm, prompt: a, next: [b, c] }\n  b: { type: llm, prompt: b, next: done }\n  c: { type: llm, prompt: c, next: done }\n${end}`,
      'settings: { max_concurrency: 1 }\n',
    );
    const order: string[] = [];
    const step = ({ lastText }: ModelRequest) => {
      order.push(`${lastText} is asked`);
      return { say: 'x', ...(lastText === 'b' && { hold: 'b' }) };
    };
    await withGraph(graph, { story: [{ when: () => true, step }] }, async (world) => {
      const handle = world.run('go', FLOW);
      handle.subscribe((event) => {
        if (event.type === 'node-finished') order.push(`${event.node} is done`);
      });
      await world.server.untilRequests(2);
      // By then the other node would have made its request.
      for (let turn = 0; turn < 500; turn++) await new Promise(setImmediate);
      world.server.release('b');
      assert.equal((await handle.outcome).kind, 'completed');
      const steps = ['a', 'b', 'c'].flatMap((node) => [`${node} is asked`, `${node} is done`]);
      assert.deepEqual(order, [...steps, 'done is done']);
    });
  });

  it('times out, and its fallback starts once its agent has ended', async () => {
    const graph = graphOf(
      `  a: { type: llm, prompt: one, tools: [acme_write], timeout: 77, fallback: b, next: done }\n  b: { type: llm, prompt: two, timeout: 88, next: done }\n${end}`,
    );
    const late = new Deferred<void>();
    let sleeping = 0;
    const sleep = (ms: number, signal: AbortSignal) => {
      sleeping++;
      const time = ms === 77_000 ? late.promise : new Deferred<void>().promise;
      return untilAborted(time, signal).finally(() => sleeping--);
    };
    const story = [{ call: [{ name: 'acme_write', arguments: {} }] }, { say: 'Two.' }];
    await withGraph(graph, { story, sleep }, async (world) => {
      world.engine.registerTool({
        ...{ name: 'acme_write', description: 'Writes', category: 'write', inputSchema: { type: 'object' } },
        touches: () => Promise.resolve([`${world.folder}/a.txt`]),
        run: async (_input, { signal }) => {
          late.resolve();
          await untilAborted(new Deferred<void>().promise, signal).catch(() => undefined);
          for (let line = 0; line < 100; line++) await appendFile(`${world.folder}/a.txt`, 'x\n');
          return 'Written.';
        },
      });
      const { events, outcome } = await world.play('go', FLOW);
      assert.equal(outcome.kind, 'completed');
      const told = events.flatMap((event) => {
        if (event.type === 'node-finished') return [`${event.node}: ${event.failure ?? 'done'}`];
        return event.type === 'tool-finished' || event.type === 'node-started' ? [event.type] : [];
      });
      assert.deepEqual(told.slice(0, 4), [
        'node-started',
        'tool-finished',
        'a: It did not finish within 77 seconds.',
        'node-started',
      ]);
      assert.equal(sleeping, 0, 'nothing waits for a time that is not needed any more');
    });
  });

  it('is retried after delays that grow by its factor, up to a day', async () => {
    const graph = graphOf(
      `  a: { type: llm, prompt: one, retry: { attempts: 5, delay: 3600, factor: 10 }, next: done }\n${end}`,
    );
    const delays: number[] = [];
    const sleep = (ms: number, signal: AbortSignal) => {
      if (ms < 3_600_000) return untilAborted(new Deferred<void>().promise, signal);
      delays.push(ms / 3_600_000);
      return Promise.resolve();
    };
    const story = [{ when: () => true, step: { fail: { status: 400 } } }];
    await withGraph(graph, { story, sleep }, async (world) => {
      const { outcome } = await world.play('go', FLOW);
      assert.match(JSON.stringify(outcome), /The node “a” failed/);
      assert.equal(world.server.requests.length, 5);
      assert.deepEqual(delays, [1, 10, 24, 24]);
    });
  });

  it('is limited by the timeout of the whole graph, even while it runs (D-8)', async () => {
    const graph = graphOf('  a: { type: llm, prompt: one, next: done }\n' + end, 'settings: { timeout: 0.5 }\n');
    await withGraph(graph, { story: [{ fail: 'hang' as const }] }, async (world) => {
      const { outcome } = await world.play('go', FLOW);
      assert.match(JSON.stringify(outcome), /0\.5 seconds|time/);
      assert.notEqual(outcome.kind, 'completed');
    });
  });
});
