import assert from 'node:assert/strict';
import { type AgentHandle, EngineError, type EngineErrorReason, type PluginTool } from '../../../src/engine';
import { type EngineWorld, withWorld, type WorldOptions } from '../../support/engineWorld';
import { withoutItsLock } from '../../support/withoutItsLock';
import { call } from '../agents/team/teamStory';

const KEY = 'sk-later-0123456789abcdef';

/** A tool whose results are sent later. */
function later(more: Partial<PluginTool> = {}): PluginTool {
  const about = { name: 'acme_later', description: 'Begins a build', category: 'network' } as const;
  return { ...about, inputSchema: { type: 'object' }, answersLater: true, run: async () => undefined, ...more };
}

/** Resolves with the id of the next call that starts to run. */
async function started(handle: AgentHandle): Promise<string> {
  for await (const event of handle.events()) if (event.type === 'tool-started') return event.callId;
  return assert.fail('The run ended without a call.');
}

const results = ({ server }: EngineWorld) => server.requests.at(-1)?.messages.at(-1)?.results ?? [];
const refusal = (reason: EngineErrorReason) => (error: unknown) => EngineError.is(error, reason);

function withLater(
  use: (world: EngineWorld) => Promise<void>,
  { tool = later(), ...options }: WorldOptions & { tool?: PluginTool } = {},
): Promise<void> {
  return withWorld({ story: [call('acme_later'), { say: 'Done.' }], ...options }, async (world) => {
    world.engine.registerTool(tool);
    await use(world);
  });
}

describe('A call whose tool answers later', () => {
  it('stays open until its result is sent, which is saved like any other', () =>
    withLater(
      async (world) => {
        const handle = world.run('build');
        const callId = await started(handle);
        assert.deepEqual([world.server.requests.length, handle.state], [1, 'running-tool']);
        handle.sendToolResult(callId, `Built with ${KEY}. ${'x'.repeat(40_000)}`);
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Done.' });
        const [result] = results(world);
        assert.match(result?.text ?? '', /^Built with (?!sk-)/);
        assert.match(result?.text ?? '', /The whole output is in /);
        const kept = (await handle.history()).flatMap((one) => (one.role === 'tool' ? one.results : []));
        assert.deepEqual(
          kept.map(({ callId: id, status }) => [id, status]),
          [[callId, 'ok']],
        );
        assert.doesNotMatch(JSON.stringify(kept), new RegExp(KEY));
      },
      { key: KEY, acceptedKey: KEY },
    ));

  it('accepts a result from a listener the moment its start is reported', () =>
    withLater(async (world) => {
      const handle = world.run('build');
      handle.subscribe((event) => {
        if (event.type === 'tool-started') handle.sendToolResult(event.callId, 'Known already.');
      });
      assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Done.' });
      assert.equal(results(world)[0]?.text, 'Known already.');
    }));

  it('accepts a result sent before the tool has returned, and one that reports failure', async () => {
    for (const [result, status, text] of [
      ['Quick.', 'ok', 'Quick.'],
      [{ text: 'No machine is free.', failed: true }, 'error', 'No machine is free.'],
    ] as const) {
      const run: PluginTool['run'] = (_, { callId, runId }) => {
        const handle = world?.engine.runs().find(({ id }) => id === runId);
        handle?.sendToolResult(callId, result);
        return Promise.resolve(undefined);
      };
      let world: EngineWorld | undefined;
      await withLater(
        async (made) => {
          world = made;
          const { events } = await made.play('build');
          const finished = events.flatMap((one) => (one.type === 'tool-finished' ? [one.result] : []));
          assert.deepEqual(
            finished.map((one) => [one.status, one.text]),
            [[status, text]],
          );
        },
        { tool: later({ run }) },
      );
    }
  });

  it('has the result that was sent, even if its tool returns another one afterwards', () => {
    let send: (callId: string) => void = () => undefined;
    const run: PluginTool['run'] = (_, { callId }) => {
      send(callId);
      return Promise.resolve('Returned.');
    };
    return withLater(
      async (world) => {
        const handle = world.run('build');
        send = (callId) => handle.sendToolResult(callId, 'Sent.');
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Done.' });
        assert.equal(results(world)[0]?.text, 'Sent.');
      },
      { tool: later({ run }) },
    );
  });

  it('accepts only one valid result, and only for a call of its own run', () =>
    withLater(
      async (world) => {
        const handle = world.run('build');
        const callId = await started(handle);
        assert.throws(() => handle.sendToolResult('call_x', 'Built.'), refusal('not-found'));
        const odd = Object.assign('', { text: 7 });
        assert.throws(() => handle.sendToolResult(callId, odd), refusal('invalid-input'));
        const other = await world.engine.sessions.create({
          ...{ workspace: world.folder, model: 'openai:test-model', approvalMode: 'nothing', name: null },
        });
        const foreign = world.run('wait', { sessionId: other.id });
        assert.throws(() => foreign.sendToolResult(callId, 'Built.'), refusal('not-found'));
        handle.sendToolResult(callId, 'Built.');
        assert.throws(() => handle.sendToolResult(callId, 'Built again.'), refusal('invalid-state'));
        await Promise.all([handle.outcome, foreign.outcome]);
        assert.throws(() => handle.sendToolResult(callId, 'Built again.'), refusal('invalid-state'));
      },
      { story: [call('acme_later'), { say: 'One.' }, { say: 'Two.' }] },
    ));

  it('accepts no result once it has failed before its tool started', () =>
    withLater(
      async (world) => {
        const handle = world.run('build');
        let refused: unknown;
        handle.subscribe((event) => {
          if (event.type !== 'tool-finished') return;
          try {
            handle.sendToolResult(event.result.callId, 'Built.');
          } catch (error) {
            refused = error;
          }
        });
        assert.equal((await handle.outcome).kind, 'completed');
        assert.match(results(world)[0]?.text ?? '', /No disk is there/);
        assert.ok(refusal('invalid-state')(refused), String(refused));
      },
      { tool: later({ category: 'write', touches: () => Promise.reject(new Error('No disk is there.')) }) },
    ));

  it('can be stopped alone or time out, and accepts nothing afterwards', async () => {
    await withLater(async (world) => {
      const handle = world.run('build');
      const callId = await started(handle);
      assert.equal(handle.stopCall(callId), true);
      assert.equal((await handle.outcome).kind, 'completed');
      assert.match(results(world)[0]?.text ?? '', /Canceled by the user while it ran/);
      assert.throws(() => handle.sendToolResult(callId, 'Built.'), refusal('invalid-state'));
    });
    await withLater(
      async (world) => {
        assert.equal((await world.play('build')).outcome.kind, 'completed');
        assert.match(results(world)[0]?.text ?? '', /did not end within 0\.02 s and was stopped/);
      },
      { tool: later({ timeoutMs: 20 }) },
    );
  });

  it('ends when its run is cancelled', () =>
    withLater(async (world) => {
      const handle = world.run('build');
      await started(handle);
      handle.cancel();
      assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
    }));

  it('is reported as interrupted after the program was killed while it waited', () =>
    withLater(async (world) => {
      await started(world.run('build'));
      await withoutItsLock(world);
      const again = await world.restart();
      again.engine.registerTool(later());
      assert.equal((await again.play(undefined)).outcome.kind, 'completed');
      assert.match(results(again)[0]?.text ?? '', /Interrupted while it ran; it may have had an effect/);
    }));
});
