import assert from 'node:assert/strict';
import type { PluginTool, Provider, ToolErrorRecovery } from '../../../src/engine';
import { type EngineWorld, withWorld, type WorldOptions } from '../../support/engineWorld';
import { call } from '../agents/team/teamStory';

/** Fails `failures` times, then answers. */
function moody(failures: number): { tool: PluginTool; calls: () => number } {
  let calls = 0;
  const run = () => {
    calls++;
    return calls <= failures ? Promise.reject(new Error(`mood ${calls}`)) : Promise.resolve('In good mood.');
  };
  const about = { name: 'acme_moody', description: 'Answers', category: 'network' } as const;
  return { tool: { ...about, inputSchema: { type: 'object' }, run }, calls: () => calls };
}

/** Never finishes, even if its signal is aborted. */
function deaf(more: Partial<PluginTool> = {}): PluginTool {
  const about = { name: 'acme_deaf', description: 'Waits', category: 'network' } as const;
  return { ...about, inputSchema: { type: 'object' }, run: () => new Promise(() => undefined), ...more };
}

const told = ({ server }: EngineWorld) =>
  server.requests
    .at(-1)
    ?.messages.at(-1)
    ?.results.map(({ text }) => text);

const moodyCall = { name: 'acme_moody', arguments: {} };

describe('A call whose tool fails', () => {
  it('by aborting its own work is not taken for one that the user cancelled', () =>
    withWorld({ story: [call('acme_deaf'), { say: 'Done.' }] }, async (world) => {
      const run = () => Promise.reject(new DOMException('My own timeout', 'AbortError'));
      world.engine.registerTool(deaf({ run }));
      const { outcome } = await world.play('go');
      assert.deepEqual(outcome, { kind: 'completed', answer: 'Done.' });
      assert.match(told(world)?.[0] ?? '', /^Error: The tool acme_deaf gave up: My own timeout\. Try another way\.$/);
    }));

  const withTool = (
    failures: number,
    options: WorldOptions,
    use: (world: EngineWorld, calls: () => number) => Promise<void>,
  ) =>
    withWorld({ story: [call('acme_moody'), { say: 'Done.' }], ...options }, async (world) => {
      const { tool, calls } = moody(failures);
      world.engine.registerTool(tool);
      await use(world, calls);
    });
  const retry: ToolErrorRecovery = (_, error, attempt) =>
    /mood/.test(String(error)) && attempt < 3 ? { kind: 'retry', delayMs: 1 } : undefined;

  it('is retried as the program specifies, and the user is asked once', async () => {
    let asked = 0;
    const approve = () => {
      asked++;
      return { kind: 'once' } as const;
    };
    await withTool(2, { toolErrors: retry, approvalMode: 'everything', approve }, async (world, calls) => {
      await world.play('go');
      assert.deepEqual([told(world), calls(), asked], [['In good mood.'], 3, 1]);
    });
  });

  it('is reported to the model after the last retry, and when the program itself throws', async () => {
    await withTool(9, { toolErrors: retry }, async (world, calls) => {
      await world.play('go');
      assert.match(told(world)?.join() ?? '', /acme_moody crashed: mood 3/);
      assert.equal(calls(), 3);
    });
    await withTool(9, { toolErrors: () => assert.fail('oh') }, async (world) => {
      await world.play('go');
      assert.match(told(world)?.join() ?? '', /mood 1/);
    });
  });

  it('is reported with the program’s own text', () =>
    withTool(9, { toolErrors: () => ({ kind: 'tell', text: 'It is closed today.' }) }, async (world) => {
      await world.play('go');
      assert.match(told(world)?.join() ?? '', /^(?:Error: )?It is closed today\.$/);
    }));

  it('ends the run if its agent wants that, before later calls start', () =>
    withTool(9, { toolErrors: retry, story: [{ call: [moodyCall, moodyCall] }] }, async (world, calls) => {
      world.engine.registerAgent({
        ...{ name: 'strict', description: 'Strict', prompt: 'You are strict.' },
        toolErrors: () => ({ kind: 'stop' }),
      });
      const { outcome } = await world.play('go', { agent: 'strict' });
      const message = 'The run was stopped because the tool acme_moody failed: mood 1';
      assert.deepEqual(outcome, { kind: 'failed', reason: 'tool', message });
      assert.deepEqual([calls(), world.server.requests.length], [1, 1]);
    }));
});

describe('A call that never ends', () => {
  it('is stopped when it times out, which is reported to the model', () =>
    withWorld({ story: [call('acme_deaf'), { say: 'Done.' }] }, async (world) => {
      world.engine.registerTool(deaf({ timeoutMs: 20 }));
      const { outcome } = await world.play('go');
      assert.equal(outcome.kind, 'completed');
      assert.match(told(world)?.join() ?? '', /did not end within 0\.02 s and was stopped/);
      assert.throws(() => world.engine.registerTool(deaf({ name: 'acme_none', timeoutMs: 0 })), /“timeoutMs”/);
    }));

  it('is abandoned when the user stops it, even if its tool ignores that, and the run continues', () =>
    withWorld({ story: [call('acme_deaf'), { say: 'Done.' }] }, async (world) => {
      const run: PluginTool['run'] = (_, { callId }) => {
        assert.equal(handle.stopCall(callId), true);
        return new Promise(() => undefined);
      };
      world.engine.registerTool(deaf({ run }));
      const handle = world.run('go');
      assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Done.' });
      assert.match(told(world)?.join() ?? '', /Canceled by the user while it ran/);
    }));
});

describe('A contributed provider that is temporarily overloaded', () => {
  function busy(retryAfterMs: number | undefined): { provider: Provider; asked: () => number } {
    let asked = 0;
    const client = () => ({
      async *stream() {
        asked++;
        await Promise.resolve();
        const said = { ...(retryAfterMs !== undefined && { retryAfterMs }), status: 429 };
        if (asked === 1) {
          yield { type: 'failed', failure: { reason: 'rate-limit', message: 'Busy.', ...said } } as const;
          return;
        }
        yield { type: 'text-delta', text: 'Here.' } as const;
        yield { type: 'finished', reason: 'stop' } as const;
      },
    });
    const about = { id: 'busy', label: 'Busy', needsKey: false, isReady: () => Promise.resolve(true) };
    return { provider: { ...about, client }, asked: () => asked };
  }

  for (const [what, retryAfterMs, kind, requests] of [
    ['is retried after the delay that it requests', 5, 'completed', 2],
    ['is not retried if it requests a delay of an hour', 3_600_000, 'failed', 1],
  ] as const) {
    it(what, () =>
      withWorld({}, async (world) => {
        const { provider, asked } = busy(retryAfterMs);
        world.engine.registerProvider(provider);
        const { outcome } = await world.play('go', { model: 'busy:bee' });
        assert.deepEqual([outcome.kind, asked()], [kind, requests]);
      }),
    );
  }
});
