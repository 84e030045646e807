import assert from 'node:assert/strict';
import { Deferred } from '../../../../src/base/async';
import type { AgentHandle } from '../../../../src/engine';
import { environmentSettings } from '../../../../src/node/environmentSettings';
import { withWorld } from '../../../support/engineWorld';
import { movableClock } from '../../../support/movableClock';

/** Longer than any test, so that only a clock that is moved reaches it. */
const LIMIT = { idleTimeout: 300 };
const LIMIT_MS = 300_000;

/** Returns a function that resolves once the run has received this much text. */
function reader(handle: AgentHandle): (wanted: string) => Promise<void> {
  let text = '';
  let changed = new Deferred<void>();
  handle.subscribe((event) => {
    if (event.type !== 'text-delta') return;
    text += event.text;
    changed.resolve();
    changed = new Deferred();
  });
  return async (wanted) => {
    while (text !== wanted) await changed.promise;
  };
}

for (const model of ['openai:test-model', 'anthropic:test-model', 'custom:test-model']) {
  describe(`A stalled stream of ${model}`, () => {
    const clock = movableClock();
    const world = { settings: LIMIT, sleep: clock.sleep };
    beforeEach(() => clock.begin());
    afterEach(() => clock.end());

    it('ends as cut off, with what was received and where the limit is set', () =>
      withWorld({ ...world, story: [{ say: 'Half of it', chunk: 4, hold: 'for ever' }] }, async (world) => {
        const handle = world.run('tell me', { model });
        await reader(handle)('Half');
        const outcome = await clock.hurried(handle.outcome);
        assert.ok(outcome.kind === 'failed' && outcome.reason === 'cut-stream', JSON.stringify(outcome));
        assert.match(outcome.message, /nothing for 300 seconds.*cairn\.idleTimeout/);
        const last = (await world.engine.sessions.open(world.sessionId)).messages.at(-1);
        assert.ok(last?.role === 'assistant');
        assert.deepEqual([last.finish, last.parts], ['cut-off', [{ type: 'text', text: 'Half' }]]);
        // The connection does not stay open.
        await world.server.requests[0]?.hungUp;
      }));

    it('is retried when nothing was received yet', () =>
      withWorld(
        { ...world, story: [{ call: [{ name: 'fs_ls', arguments: {} }], hold: 'for ever' }, { say: 'Now I can.' }] },
        async (world) => {
          const handle = world.run('tell me', { model });
          await clock.hurried(world.server.untilRequests(2));
          assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Now I can.' });
          assert.equal(world.server.requests.length, 2);
        },
      ));

    it('does not time out while data arrives', () => {
      const received = new Deferred<ReturnType<typeof reader>>();
      const pace = async (sent: string) => {
        await (
          await received.promise
        )(sent);
        if (sent !== '') clock.forward(LIMIT_MS * 0.9);
      };
      // Each piece ends with a space, because what looks like the beginning of a secret is held back.
      const say = 'Day and sun and sea and sky.';
      return withWorld({ ...world, story: [{ say, chunk: 4, pace }] }, async (world) => {
        const handle = world.run('tell me', { model });
        received.resolve(reader(handle));
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: say });
        assert.ok(clock.moved > 3 * LIMIT_MS);
      });
    });
  });
}

describe('An answer that never starts', function () {
  this.timeout(60_000);

  it('ends with the reason', () =>
    withWorld({ settings: { idleTimeout: 1 }, story: Array(3).fill({ fail: 'hang' }) }, async (world) => {
      const { outcome } = await world.play('tell me');
      assert.ok(outcome.kind === 'failed' && outcome.reason === 'unreachable', JSON.stringify(outcome));
      assert.match(outcome.message, /did not start to answer in time.*cairn\.idleTimeout/);
    }));
});

describe('The idle timeout of a stream', () => {
  it('is 90 seconds, or the value from the environment', () => {
    assert.equal(environmentSettings({}).idleTimeout, 90);
    assert.equal(environmentSettings({ CAIRN_IDLE_TIMEOUT: '300' }).idleTimeout, 300);
    assert.throws(() => environmentSettings({ CAIRN_IDLE_TIMEOUT: 'soon' }), /CAIRN_IDLE_TIMEOUT/);
  });
});
