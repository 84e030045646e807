import assert from 'node:assert/strict';
import * as z from 'zod';
import { withWorld } from '../support/engineWorld';
import { join } from 'node:path';
import { type AgentLoop, createEngine, EngineError, startRun } from '../../src/library';

/** As passed by a program whose types were not checked. */
const anything = (value: unknown) => z.custom<never>(() => true).parse(value);
const isInvalid = (names: RegExp) => (error: unknown) =>
  EngineError.is(error, 'invalid-input') && names.test(error.message);

describe('A run requested by a program', () => {
  const misfits: [string, Record<string, unknown>, RegExp][] = [
    ['a limit of NaN', { limits: { costUsd: Number.NaN } }, /limits\.costUsd/],
    ['a limit given as a string', { limits: { turns: '5' } }, /limits\.turns/],
    ['an unknown limit', { limits: { turn: 5 } }, /limits.*“turn” \(did you mean “turns”\?\)/],
    ['an unknown field', { approvalmode: 'all' }, /“approvalmode” \(did you mean “approvalMode”\?\)/],
    ['an undefined limit', { limits: { turns: undefined } }, /limits\.turns/],
    ['an unknown approval mode', { approvalMode: 'yolo' }, /approvalMode/],
    ['an unknown mode', { workMode: 'x' }, /workMode/],
    ['a number as the message', { input: 5 }, /input/],
    ['an invalid attachment', { input: { text: 'Go.', attachments: [{ path: 'a.txt' }] } }, /input/],
    ['a variable that is not a string', { variables: { a: 5 } }, /variables\.a/],
    ['invalid resources', { resources: {} }, /resources/],
    ['no workspace', { workspace: undefined }, /workspace/],
  ];
  for (const [what, misfit, names] of misfits) {
    it(`is rejected with ${what}, and leaves no session`, () =>
      withWorld({ story: [] }, async ({ engine, folder, server }) => {
        const known = (await engine.sessions.list()).length;
        const request = { input: 'Go.', workspace: folder, model: 'openai:test-model', ...misfit };
        await assert.rejects(startRun(engine, anything(request)), isInvalid(names));
        assert.equal((await engine.sessions.list()).length, known);
        assert.equal(server.requests.length, 0);
      }));
  }

  it('is rejected in the same way by the engine itself, before it starts', () =>
    withWorld({}, async ({ folder }) => {
      const engine = createEngine({ workspace: folder, configFolder: join(folder, 'own'), env: {} });
      try {
        const wanted = { workspace: folder, model: null, name: null, approvalMode: 'nothing' } as const;
        const { id: sessionId } = await engine.sessions.create(wanted);
        for (const [, misfit, names] of misfits.filter(([what]) => what !== 'no workspace')) {
          assert.throws(() => engine.run(anything({ sessionId, input: 'Go.', ...misfit })), isInvalid(names));
        }
        assert.throws(() => engine.run(anything({ input: 'Go.' })), isInvalid(/“sessionId”: expected string/));
        assert.throws(() => engine.run(anything(undefined)), isInvalid(/expected object/));
        assert.deepEqual(engine.runs(), []);
      } finally {
        await engine.shutDown();
      }
    }));

  it('fails with a sentence, and asks no model, when requested by one of our front ends', () =>
    withWorld({ story: [{ say: 'Paid.' }] }, async (world) => {
      const { outcome } = await world.play('go', { limits: anything({ turns: Number.NaN }) });
      assert.ok(
        outcome.kind === 'failed' && /“limits\.turns”: expected a number/.test(outcome.message),
        JSON.stringify(outcome),
      );
      assert.equal(world.server.requests.length, 0);
    }));

  it('rejects an invalid later message, and continues', () =>
    withWorld({ story: [{ say: 'One.', hold: 'first' }, { say: 'Two.' }] }, async (world) => {
      const run = world.run('go');
      await world.server.untilRequests(1);
      for (const input of [5, {}, { text: 'x', attachments: [{}] }]) {
        assert.throws(() => run.send(anything(input)), isInvalid(/message/));
        assert.throws(() => run.interrupt({ message: anything(input) }), isInvalid(/message/));
      }
      world.server.release('first');
      assert.equal((await run.outcome).kind, 'completed');
    }));

  it('does not let a program make a session unreadable', () =>
    withWorld({}, async ({ engine, sessionId }) => {
      const session = await engine.sessions.open(sessionId);
      const before = session.metadata.approvalMode;
      await assert.rejects(session.configure({ approvalMode: anything('yolo') }), isInvalid(/approvalMode/));
      assert.equal((await engine.sessions.list()).find(({ id }) => id === sessionId)?.approvalMode, before);
    }));
});

describe('A program agent with invalid values', () => {
  /** The answer of an agent with this loop, or its outcome as JSON if it did not complete. */
  function told(loop: AgentLoop): Promise<string> {
    let answer = '';
    return withWorld({ story: [{ say: 'Said.' }] }, async (world) => {
      world.engine.registerAgent({ name: 'acme', description: 'Is a program', loop });
      const { outcome } = await world.play('go', { agent: 'acme' });
      answer = outcome.kind === 'completed' ? outcome.answer : JSON.stringify(outcome);
    }).then(() => answer);
  }
  const messageOf = async (work: () => unknown) => {
    try {
      await work();
      return 'nothing was said';
    } catch (error) {
      return error instanceof Error ? error.message : '?';
    }
  };

  it('is named when its loop does not return text', async () => {
    assert.match(
      await told(() => anything(Promise.resolve(5))),
      /The agent “acme” failed: its loop returned number instead of a text/,
    );
  });

  const misuses: [string, Parameters<typeof told>[0]][] = [
    ['send', (run) => messageOf(() => run.send(anything('hello')))],
    ['setState', (run) => messageOf(() => run.setState(anything('asleep')))],
    ['callTool', (run) => messageOf(() => run.callTool('fs_ls', anything({ path: 5n })))],
    ['runCalls', (run) => messageOf(() => run.runCalls(anything([5])))],
    ['ask', (run) => messageOf(() => run.ask(anything({ question: 'Why?' })))],
  ];
  for (const [method, loop] of misuses) {
    it(`gets an error for invalid arguments of ${method}`, async () => {
      assert.match(await told(loop), new RegExp(`The arguments of ${method} are not valid`));
    });
  }
});
