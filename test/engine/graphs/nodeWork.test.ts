import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import * as z from 'zod';
import { untilAborted } from '../../../src/base/abort';
import { Deferred } from '../../../src/base/async';
import type { ModelRequest } from '../../support/modelServer/modelRequest';
import { FLOW, graphOf, READ, withGraph } from './graphWorld';

const FILES = {
  '.cairn/agents/helper.md': '---\nmode: primary\ndescription: Helps\n---\nYou help.\n',
  'note.txt': 'blue\n',
};

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

  it('uses the reasoning effort of its graph when it sets none, with and without tools', async () => {
    const graph = graphOf(
      '  a: { type: llm, prompt: one, tools: [fs_read], next: b }\n  b: { type: llm, prompt: two, reasoning_effort: high, next: done }\n' +
        end,
      'model: openai:gpt-5\nreasoning_effort: low\n',
    );
    await withGraph(graph, { story: [{ say: 'One.' }, { say: 'Two.' }] }, async (world) => {
      await world.play('go', FLOW);
      const efforts = world.server.requests.map(
        ({ body }) => /"(?:reasoning_)?effort":"(\w+)"/.exec(JSON.stringify(body))?.[1],
      );
      assert.deepEqual(efforts, ['low', 'high']);
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
