import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Message, toolCallsOf } from '../../../src/engine';
import { type EngineWorld, withWorld } from '../../support/engineWorld';
import type { RequestMessage } from '../../support/modelServer/modelRequest';

const MODELS = ['openai:test-model', 'anthropic:test-model'];

const callsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === 'assistant' ? toolCallsOf(message) : []));
const resultsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
const storedIn = async ({ engine, sessionId }: EngineWorld) => (await engine.sessions.open(sessionId)).messages;

/** Returns the calls in a request, each with its result. */
function shown(messages: readonly RequestMessage[] = []): string[] {
  const results = messages.flatMap((one) => one.results);
  const calls = messages.flatMap((one) => one.calls);
  assert.deepEqual(
    results.map(({ callId }) => callId),
    calls.map(({ id }) => id),
  );
  return calls.map(({ name, arguments: given }, at) => {
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    return `${name} ${text} => ${results[at]?.text ?? ''}`;
  });
}

for (const model of MODELS) {
  describe(`A call that ${model} could not finish`, () => {
    for (const finish of ['length', 'stop', undefined] as const) {
      it(`changes no file and runs no command when the answer ends with ${finish ?? 'tool calls'}`, () =>
        withWorld(
          {
            files: { 'a.txt': 'precious', 'build/keep.txt': 'kept' },
            story: [
              {
                call: [{ name: 'fs_write', arguments: '{"path":"a.txt","contents":"first line\\nsecond li' }],
                ...(finish && { finish }),
              },
              { call: [{ name: 'execute_command', arguments: '{"command":"rm -rf build' }], ...(finish && { finish }) },
              { say: 'I see.' },
            ],
          },
          async (world) => {
            const { outcome } = await world.play('go', { model });
            assert.equal(outcome.kind, 'completed');
            assert.equal(await world.read('a.txt'), 'precious');
            assert.equal(await world.read('build/keep.txt'), 'kept');
            const [write = '', command = ''] = shown(world.server.requests[2]?.messages);
            assert.match(write, /fs_write .*first line.*second li.* => .*not carried out.*in parts/s);
            assert.match(command, /execute_command .*rm -rf build.* => .*not carried out/s);
          },
        ));
    }

    it('is reported to the user by name, even when it is the only one', () =>
      withWorld(
        {
          story: [
            { call: [{ name: 'fs_write', arguments: '{"path":"b.txt","contents":"half of' }], finish: 'length' },
            { say: 'I see.' },
          ],
        },
        async (world) => {
          const { events } = await world.play('go', { model });
          const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
          assert.match(notices.join('\n'), /output limit.*\(fs_write\) were not run/);
        },
      ));

    it('is reported to the user, and the complete calls still run', () =>
      withWorld(
        {
          story: [
            {
              call: [
                { name: 'fs_write', arguments: { path: 'a.txt', contents: 'all of it' } },
                { name: 'fs_write', arguments: '{"path":"b.txt","contents":"half of' },
                { name: 'fs_ls', arguments: '' },
              ],
              finish: 'length',
            },
            { say: 'I see.' },
          ],
        },
        async (world) => {
          const { events } = await world.play('go', { model });
          assert.equal(await world.read('a.txt'), 'all of it');
          await assert.rejects(world.read('b.txt'));
          const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
          assert.match(notices.join('\n'), /output limit.*fs_write, fs_ls.*were not run/);
        },
      ));
  });

  describe(`A call of ${model} with a duplicate id`, () => {
    it('is distinguished from the call with the same id in another answer', () =>
      withWorld(
        {
          files: { 'a.txt': 'alpha', 'b.txt': 'beta' },
          story: [
            { call: [{ name: 'fs_read', arguments: { path: 'a.txt' }, id: 'call_0' }] },
            { call: [{ name: 'fs_read', arguments: { path: 'b.txt' }, id: 'call_0' }] },
            { say: 'Done.' },
            { say: 'Again.' },
          ],
        },
        async (world) => {
          const { events } = await world.play('read', { model });
          const started = events.flatMap((event) => (event.type === 'tool-announced' ? [event.callId] : []));
          const finished = events.flatMap((event) => (event.type === 'tool-finished' ? [event.result.callId] : []));
          assert.equal(new Set(started).size, 2);
          assert.deepEqual(finished, started);
          assert.ok(!started.includes('call_0'));
          const again = await world.restart();
          assert.deepEqual(
            callsOf(await storedIn(again)).map(({ id }) => id),
            started,
          );
          await again.play('and?', { model });
          const [first = '', second = ''] = shown(world.server.requests.at(-1)?.messages);
          assert.match(first, /a\.txt.*alpha/s);
          assert.match(second, /b\.txt.*beta/s);
          assert.equal(world.server.requests.at(-1)?.messages.flatMap(({ calls }) => calls)[0]?.id, 'call_0');
        },
      ));

    it('is distinguished from the call with the same id in the same answer', () =>
      withWorld(
        {
          files: { 'a.txt': 'alpha' },
          story: [
            {
              call: [
                { name: 'fs_read', arguments: { path: 'a.txt' }, id: 'same' },
                { name: 'fs_write', arguments: { path: 'c.txt', contents: 'gamma' }, id: 'same' },
              ],
            },
            { say: 'Done.' },
          ],
        },
        async (world) => {
          assert.equal((await world.play('go', { model })).outcome.kind, 'completed');
          assert.equal(await world.read('c.txt'), 'gamma');
          const [read = '', write = ''] = shown(world.server.requests[1]?.messages);
          assert.match(read, /fs_read.*alpha/s);
          assert.match(write, /fs_write.*Created c\.txt/s);
        },
      ));
  });

  describe(`A session with malformed output from ${model}`, () => {
    const DEEP = `{"path":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const HALF = '\ud83d';

    it('continues, also after a restart', () =>
      withWorld(
        {
          story: [
            { say: `Half ${HALF}`, call: [{ name: 'fs_read', arguments: DEEP }] },
            { call: [{ name: 'fs_write', arguments: '{"path":"a.txt","contents":"x\\ud83dy \\ud83d\\udc4b"}' }] },
            { call: [{ name: `odd${HALF}`, arguments: {} }] },
            { say: 'Done.' },
            { say: 'Still here.' },
          ],
        },
        async (world) => {
          const { outcome } = await world.play(`typed ${HALF}`, { model });
          assert.deepEqual(outcome, { kind: 'completed', answer: 'Done.' });
          assert.equal(await world.read('a.txt'), 'x\ufffdy 👋');
          assert.match(shown(world.server.requests[1]?.messages)[0] ?? '', /\[\[\[.* => .*not carried out.*nested/s);
          const again = await world.restart();
          assert.deepEqual((await again.play('and?', { model })).outcome, { kind: 'completed', answer: 'Still here.' });
        },
      ));

    it('opens and continues when written by an older version', () =>
      withWorld({ story: [{ say: 'Fine.' }] }, async (world) => {
        const call = (id: string, name: string, given: string) => ({
          type: 'tool-call',
          call: { id, name, arguments: given },
        });
        const reply = (id: string, ...parts: object[]) =>
          message({ role: 'assistant', id, time: 2, agent: 'coder', model, parts, finish: 'tool-calls' });
        const result = (callId: string, text: string) => ({
          ...{ callId, name: 'fs_read', status: 'ok', text, detail: null, durationMs: 1 },
        });
        const message = (said: object) => ({ type: 'message', message: said });
        const lines = [
          message({ role: 'user', id: 'u', time: 1, parts: [{ type: 'text', text: `go ${HALF}` }], steering: false }),
          reply('m1', call('call_0', 'fs_read', DEEP), call('call_0', 'fs_ls', '{"path":"\\ud83d"}')),
          message({ role: 'tool', id: 't1', time: 3, results: [result('call_0', 'one'), result('call_0', 'two')] }),
          reply('m2', call('call_0', 'fs_read', '{"path":"b"}')),
          { type: 'tool-started', time: 4, callId: 'call_0' },
          message({ role: 'tool', id: 't2', time: 5, results: [result('call_0', `three ${HALF}`)] }),
        ];
        const history = join(world.sessionsFolder, world.sessionId, 'history.jsonl');
        await appendFile(history, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
        const again = await world.restart();
        const stored = await storedIn(again);
        assert.equal(new Set(callsOf(stored).map(({ id }) => id)).size, 3);
        assert.deepEqual(
          resultsOf(stored).map(({ callId }) => callId),
          callsOf(stored).map(({ id }) => id),
        );
        const { outcome } = await again.play('and?', { model });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Fine.' });
        const all = shown(world.server.requests[0]?.messages);
        assert.deepEqual(
          all.map((one) => one.split(' => ')[1]?.replace('\ufffd', '')),
          ['one', 'two', 'three '],
        );
      }));
  });
}
