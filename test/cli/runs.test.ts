import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Deferred } from '../../src/base/async';
import { inShell } from './inShell';

const GRAPH = `
name: flow
start: first
nodes:
  first: { type: llm, prompt: "First {{initial_prompt}}", state_updates: { one: "{{output}}" }, next: second }
  second: { type: llm, prompt: "Second {{one}}", state_updates: { two: "{{output}}" }, next: third }
  third: { type: llm, prompt: "Third {{two}}", state_updates: { three: "{{output}}" }, next: done }
  done: { type: end, output: "{{three}}" }
`;

const echo = ({ lastText }: { lastText: string }) => ({ say: `[${lastText}]` });

const RUN = ['-m', 'openai:test-model', '--trust'];

async function putGraph(folder: string): Promise<void> {
  const path = join(folder, '.cairn/agents/flow/graph.yaml');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, GRAPH);
}

const cells = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));

describe('Graph runs on the command line', function () {
  this.timeout(60_000);

  it('are listed and shown, and resume after a failure without repeating answered requests', () => {
    const story = [{ say: 'A' }, { say: 'B' }, { fail: { status: 400 } }, { say: 'C' }];
    return inShell(story, async ({ cairn, folder, server }) => {
      await putGraph(folder);
      const failed = await cairn([...RUN, '-a', 'flow', 'go']);
      assert.equal(failed.status, 1, failed.err);
      assert.match(failed.err, /The graph “flow” failed\. The node “third” failed:/);
      const [row = []] = cells((await cairn(['runs', 'list'])).out);
      const [id = '', state, , agent, , prompt] = row;
      assert.deepEqual([state, agent, prompt], ['failed', 'flow', 'go']);
      const shown = (await cairn(['runs', 'show', id])).out;
      assert.match(shown, /^0\tfirst\tdone\t/m);
      assert.match(shown, /^2\tthird\tfailed\t/m);
      const resumed = await cairn(['runs', 'resume', id.slice(-6), ...RUN]);
      assert.deepEqual([resumed.status, resumed.out], [0, 'C\n'], resumed.err);
      assert.equal(server.requests.length, 4);
      const again = await cairn(['runs', 'resume', id]);
      assert.equal(again.status, 2);
      assert.match(again.err, /has ended \(completed\)\. Use cairn runs retry/);
    });
  });

  it('cannot resume once a later run has started in their session', () => {
    const story = [{ say: 'A' }, { say: 'B' }, { fail: { status: 400 } }, { say: 'B2' }, { say: 'C2' }];
    return inShell(story, async ({ cairn, folder, server }) => {
      await putGraph(folder);
      await cairn([...RUN, '-a', 'flow', 'go']);
      const [[id = ''] = []] = cells((await cairn(['runs', 'list'])).out);
      assert.equal((await cairn(['runs', 'retry', id, '--from', 'second', ...RUN])).out, 'C2\n');
      const resumed = await cairn(['runs', 'resume', id, ...RUN]);
      assert.match(
        resumed.err,
        /cannot continue, because graph_\w+ was started after it in the same session\. Retry from/,
      );
      assert.equal(server.requests.length, 5);
    });
  });

  it('can be retried from an earlier node with edited state, and compared', () => {
    const story = [{ say: 'A' }, { say: 'B' }, { say: 'C' }, { say: 'B2' }, { say: 'C2' }];
    return inShell(story, async ({ cairn, folder, server }) => {
      await putGraph(folder);
      await cairn([...RUN, '-a', 'flow', 'go']);
      const [[id = ''] = []] = cells((await cairn(['runs', 'list'])).out);
      const before = (await cairn(['runs', 'show', id, '--json'])).out;
      const retried = await cairn(['runs', 'retry', id, '--from', 'second', '--set', 'one="edited"', ...RUN]);
      assert.deepEqual([retried.status, retried.out], [0, 'C2\n'], retried.err);
      assert.deepEqual(
        server.requests.map(({ lastText }) => lastText),
        ['First go', 'Second A', 'Third B', 'Second edited', 'Third B2'],
      );
      assert.equal((await cairn(['runs', 'show', id, '--json'])).out, before);
      const [[other = ''] = []] = cells((await cairn(['runs', 'list'])).out);
      assert.notEqual(other, id);
      const compared = cells((await cairn(['runs', 'compare', id, other])).out);
      assert.deepEqual(
        compared.slice(1, 5).map(([differs, node]) => [differs, node]),
        [
          ['=', 'first'],
          ['≠', 'second'],
          ['≠', 'third'],
          ['=', 'done'],
        ],
      );
      assert.deepEqual(compared.slice(6), [
        ['second', 'two', '"B"', '"B2"'],
        ['third', 'three', '"C"', '"C2"'],
      ]);
      const wrong = await cairn(['runs', 'retry', id, '--from', 'secnd']);
      assert.equal(wrong.status, 2);
      assert.match(wrong.err, /did not reach a node “secnd”\. Did you mean “second”\?/);
    });
  });

  for (const [what, state] of [
    ['stop', 'stopped'],
    ['pause', 'paused'],
  ] as const)
    it(`${what} when another process asks them to, and resume later`, () => {
      // A request that was stopped midway is sent again.
      const again = what === 'stop' ? [{ say: 'B' }] : [];
      const story = [{ say: 'A' }, { say: 'B', hold: 'second' }, ...again, { say: 'C' }];
      return inShell(story, async ({ cairn, folder, server }) => {
        await putGraph(folder);
        const running = cairn([...RUN, '-a', 'flow', 'go']);
        await server.untilRequests(2);
        const [[id = '', atWork] = []] = cells((await cairn(['runs', 'list'])).out);
        assert.equal(atWork, 'at work');
        const asked = await cairn(['runs', what, id]);
        assert.equal(asked.out, `${id} was told to ${what}.\n`, asked.err);
        if (what === 'pause') server.release('second');
        const ended = await running;
        assert.equal(ended.status, 130);
        assert.match(ended.err, what === 'pause' ? /^cairn: paused after its step\.$/m : /^cairn: canceled\.$/m);
        assert.equal(cells((await cairn(['runs', 'list'])).out)[0]?.[1], state);
        const none = await cairn(['runs', what, id]);
        assert.match(none.err, /is not running, so there is nothing to/);
        const resumed = await cairn(['runs', 'resume', id, ...RUN]);
        assert.equal(resumed.status, 0, resumed.err);
        assert.equal(server.requests.length, story.length);
      });
    });

  it('continue in one process only, and another one reports the answer', () => {
    const story = [{ say: 'A' }, { fail: { status: 400 } }, { say: 'B', hold: 'second' }, { say: 'C' }];
    return inShell(story, async ({ cairn, folder, server }) => {
      await putGraph(folder);
      await cairn([...RUN, '-a', 'flow', 'go']);
      const [[id = ''] = []] = cells((await cairn(['runs', 'list'])).out);
      const first = cairn(['runs', 'resume', id, ...RUN]);
      await server.untilRequests(3);
      const waits = new Deferred<void>();
      const second = cairn(['runs', 'resume', id, ...RUN], {
        onError: (text) => text.includes('running in another window') && waits.resolve(),
      });
      await waits.promise;
      server.release('second');
      for (const { status, out, err } of [await first, await second]) assert.deepEqual([status, out], [0, 'C\n'], err);
      assert.equal(server.requests.length, 4);
      const left = cells((await cairn(['runs', 'list'])).out).map(([one, state]) => [one, state]);
      assert.deepEqual(left, [[id, 'completed']]);
    });
  });

  it('answer each retry with its own result when two are started at the same time', () => {
    const story = [{ say: 'A' }, { say: 'B' }, { say: 'C' }, { when: () => true, step: echo }];
    return inShell(story, async ({ cairn, folder }) => {
      await putGraph(folder);
      await cairn([...RUN, '-a', 'flow', 'go']);
      const [[id = ''] = []] = cells((await cairn(['runs', 'list'])).out);
      const retry = (one: string) => cairn(['runs', 'retry', id, '--from', 'second', '--set', `one=${one}`, ...RUN]);
      const results = await Promise.all(['x', 'y', 'z'].map(retry));
      const answers = results.map(({ out, err }) => out || err);
      const [isRefused, isOwn] = [/is running\. Stop it first\./, (of: string) => `[Third [Second ${of}]]\n`];
      for (const [at, of] of ['x', 'y', 'z'].entries()) {
        const answer = answers[at] ?? '';
        assert.ok(isRefused.test(answer) || answer === isOwn(of), answers.join(' | '));
      }
      const ended = cells((await cairn(['runs', 'list'])).out).map(([, state]) => state);
      assert.deepEqual([...new Set(ended)], ['completed'], 'no run is left behind');
    });
  });

  it('are stored as JSON lines without known secrets', () => {
    const secret = 'Zq7Wx9KvJy4Bn2Rt8Lp5';
    const story = [{ say: `It is ${secret}` }, { say: `Once more ${secret}` }, { fail: { status: 400 } }, { say: 'C' }];
    return inShell(story, async ({ cairn, folder }) => {
      await putGraph(folder);
      const env = { OTHER_SERVICE_TOKEN: secret };
      await cairn([...RUN, '-a', 'flow', `go ${secret}`], { env });
      const records = await recordsBelow(folder);
      assert.equal(records.length, 1);
      const lines = (records[0] ?? '').trimEnd().split('\n');
      for (const line of lines) assert.match(line, /^\{"type":"[a-z-]+",.*\}$/);
      assert.ok(!lines.join().includes(secret));
      assert.match(lines.join('\n'), /"prompt":"go •••[^]*It is •••[^]*Once more •••/);
      const [[id = ''] = []] = cells((await cairn(['runs', 'list'])).out);
      const shown = await cairn(['runs', 'show', id, '--json']);
      assert.ok(!shown.out.includes(secret) && shown.out.includes('•••'), shown.out);
      assert.equal((await cairn(['runs', 'resume', id, ...RUN], { env })).out, 'C\n');
      assert.ok(!(await recordsBelow(folder)).join().includes(secret));
    });
  });
});

async function recordsBelow(folder: string): Promise<string[]> {
  const all = await readdir(join(folder, 'config', 'sessions'), { recursive: true, withFileTypes: true });
  const found = all.filter(({ name, parentPath }) => name.endsWith('.jsonl') && parentPath.endsWith('graphs'));
  return Promise.all(found.map(({ name, parentPath }) => readFile(join(parentPath, name), 'utf8')));
}
