import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inShell } from './inShell';
import { aMoment } from '../support/aMoment';

const GRAPH = `
name: flow
version: "1.1"
start: first
nodes:
  first: { type: llm, prompt: "First {{initial_prompt}}", state_updates: { one: "{{output}}" }, next: [left, right] }
  left: { type: llm, prompt: "Left {{one}}", state_updates: { two: "{{output}}" }, next: each }
  right: { type: llm, prompt: "Right {{one}}", state_updates: { three: "{{output}}" }, next: each }
  each: { type: map, over: "{{list}}", as: item, branch: item, collect_into: all, max_concurrency: 1, next: done }
  item: { type: llm, prompt: "Item {{item}}" }
  done: { type: end, output: "{{two}} {{three}} {{all}}" }
initial_state: { list: [x, y] }
`;

const RUN = ['-m', 'openai:test-model', '--trust', '--output', 'stream-json'];

/** For each process, the request that hangs, and what the same step must have printed before the process is killed. */
const KILLS: readonly { hanging: string; done: RegExp }[] = [
  { hanging: 'First go', done: /"type":"node-started"/ },
  { hanging: 'Right [First go]', done: /"type":"node-finished"[^\n]*"node":"left"/ },
  { hanging: 'Item y', done: /"type":"node-progress"/ },
];

describe('A graph whose process is killed at each step', function () {
  this.timeout(120_000);

  it('reaches the same result as without kills and repeats no answered request', async () => {
    let hanging: string | undefined;
    const story = [
      {
        when: () => true,
        step: ({ lastText }: { lastText: string }) =>
          lastText === hanging ? { fail: 'hang' as const } : { say: `[${lastText}]` },
      },
    ];
    await inShell(story, async ({ cairn, folder, server }) => {
      const path = join(folder, '.cairn/agents/flow/graph.yaml');
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, GRAPH);
      const unkilled = await cairn([...RUN, '-a', 'flow', 'go']);
      const answer = answerIn(unkilled.out);
      assert.equal(answer, '[Left [First go]] [Right [First go]] ["[Item x]","[Item y]"]', unkilled.err);
      const before = server.requests.length;
      let goOn = ['-a', 'flow', 'go'];
      for (const { hanging: one, done } of KILLS) {
        hanging = one;
        let printed = '';
        let kill: (signal: NodeJS.Signals) => void = () => assert.fail('it was not started');
        const running = cairn([...goOn, ...RUN], {
          onStart: (how) => (kill = how),
          onOutput: (text) => void (printed = text),
        });
        const isThere = () =>
          done.test(printed) && server.requests.slice(before).some(({ lastText }) => lastText === one);
        while (!isThere()) await aMoment();
        kill('SIGKILL');
        const { status } = await running;
        assert.equal(status, null, 'it was killed');
        const [[id = '', state] = []] = cells((await cairn(['runs', 'list'])).out);
        assert.equal(state, 'cut off');
        goOn = ['runs', 'resume', id];
      }
      hanging = undefined;
      const last = await cairn([...goOn, ...RUN]);
      assert.equal(answerIn(last.out), answer, last.err);
      const asked = server.requests.slice(before).map(({ lastText }) => lastText);
      for (const { hanging: one } of KILLS) assert.ok(asked.filter((text) => text === one).length <= 2, one);
      for (const once of ['Left [First go]', 'Item x']) {
        assert.equal(asked.filter((text) => text === once).length, 1, once);
      }
    });
  });

  it('resumes an agent in its own session', async () => {
    const graph =
      'name: flow\nstart: a\nnodes:\n  a: { type: agent, agent: helper, prompt: "Help me", state_updates: { said: "{{output}}" }, next: done }\n  done: { type: end, output: "{{said}}" }\n';
    const call = { name: 'fs_read', arguments: { path: 'note.txt' } };
    await inShell([{ call: [call] }, { fail: 'hang' }, { say: 'It is blue.' }], async ({ cairn, folder, server }) => {
      await mkdir(join(folder, '.cairn/agents/flow'), { recursive: true });
      await writeFile(join(folder, '.cairn/agents/flow/graph.yaml'), graph);
      await writeFile(join(folder, '.cairn/agents/helper.md'), '---\nmode: primary\n---\nYou help.\n');
      await writeFile(join(folder, 'note.txt'), 'blue\n');
      let kill: (signal: NodeJS.Signals) => void = () => assert.fail('it was not started');
      const running = cairn(['-a', 'flow', 'go', ...RUN], { onStart: (how) => (kill = how) });
      await server.untilRequests(2);
      kill('SIGKILL');
      assert.equal((await running).status, null);
      const [[id = ''] = []] = cells((await cairn(['runs', 'list'])).out);
      const last = await cairn(['runs', 'resume', id, ...RUN]);
      assert.equal(answerIn(last.out), 'It is blue.', last.err);
      const told = server.requests.map(({ messages }) => messages.map(({ text, results }) => [text, results]));
      assert.deepEqual(told[2], told[1]);
      assert.match(JSON.stringify(told[2]), /blue/);
    });
  });

  it('continues where it was if it had been retried from a node and waited for its next attempt', async () => {
    const graph = GRAPH.replace(
      'type: llm, prompt: "Item',
      'type: llm, retry: { attempts: 3, delay: 3000 }, prompt: "Item',
    );
    let fails = false;
    const step = ({ lastText }: { lastText: string }) =>
      fails && lastText === 'Item y' ? { fail: { status: 400 } } : { say: `[${lastText}]` };
    await inShell([{ when: () => true, step }], async ({ cairn, folder, server }) => {
      await mkdir(join(folder, '.cairn/agents/flow'), { recursive: true });
      await writeFile(join(folder, '.cairn/agents/flow/graph.yaml'), graph);
      const answer = answerIn((await cairn([...RUN, '-a', 'flow', 'go'])).out);
      const [[first = ''] = []] = cells((await cairn(['runs', 'list'])).out);
      fails = true;
      const retried = await cairn(['runs', 'retry', first, '--from', 'each', ...RUN], {
        onOutput: (text, kill) => text.includes('is retried') && kill('SIGKILL'),
      });
      assert.equal(retried.status, null, 'it was killed');
      fails = false;
      const [[id = '', state] = []] = cells((await cairn(['runs', 'list'])).out);
      assert.deepEqual([id === first, state], [false, 'cut off']);
      const before = server.requests.length;
      const last = await cairn(['runs', 'resume', id, ...RUN]);
      assert.equal(answerIn(last.out), answer, last.err);
      const asked = server.requests.slice(before).map(({ lastText }) => lastText);
      assert.deepEqual(asked, ['Item y']);
      assert.equal(cells((await cairn(['runs', 'list'])).out)[0]?.[1], 'completed');
    });
  });

  it('counts usage from before the kill toward its budget', async () => {
    const graph =
      'name: flow\nversion: "1.1"\nstart: a\nsettings: { budget: { tokens: 250 } }\nnodes:\n  a: { type: agent, agent: helper, prompt: "Help me", next: b }\n  b: { type: llm, prompt: "Then", next: done }\n  done: { type: end }\n';
    const usage = { input: 99, output: 1 };
    const reads = { call: [{ name: 'fs_read', arguments: { path: 'note.txt' } }], usage };
    const story = [reads, { fail: 'hang' as const }, reads, { say: 'It is blue.', usage }, { say: 'Then.', usage }];
    await inShell(story, async ({ cairn, folder, server }) => {
      await mkdir(join(folder, '.cairn/agents/flow'), { recursive: true });
      await writeFile(join(folder, '.cairn/agents/flow/graph.yaml'), graph);
      await writeFile(join(folder, '.cairn/agents/helper.md'), '---\nmode: primary\n---\nYou help.\n');
      await writeFile(join(folder, 'note.txt'), 'blue\n');
      let kill: (signal: NodeJS.Signals) => void = () => assert.fail('it was not started');
      const running = cairn(['-a', 'flow', 'go', ...RUN], { onStart: (how) => (kill = how) });
      await server.untilRequests(2);
      kill('SIGKILL');
      assert.equal((await running).status, null);
      const [[id = ''] = []] = cells((await cairn(['runs', 'list'])).out);
      const last = await cairn(['runs', 'resume', id, ...RUN]);
      assert.equal(last.status, 3, last.err);
      assert.match(last.out, /is used up: 300 of 250 tokens, including what was used before it was stopped/);
      assert.equal(server.requests.length, 4);
    });
  });
});

const cells = (text: string) => text.split('\n').map((line) => line.split('\t'));

function answerIn(lines: string): string | undefined {
  return /"outcome":\{"kind":"completed","answer":("(?:[^"\\]|\\.)*")/
    .exec(lines)?.[1]
    ?.replace(/^"|"$/g, '')
    .replaceAll('\\"', '"');
}
