import assert from 'node:assert/strict';
import { withWorld } from '../../../support/engineWorld';
import { environmentSettings } from '../../../../src/node/environmentSettings';

const SOON = { idleTimeout: 1 };

for (const model of ['openai:test-model', 'anthropic:test-model', 'custom:test-model']) {
  describe(`A stalled stream of ${model}`, function () {
    this.timeout(30_000);

    it('ends as cut off, with what was received and where the limit is set', () =>
      withWorld({ settings: SOON, story: [{ say: 'Half of it', chunk: 4, hold: 'for ever' }] }, async (world) => {
        const { outcome } = await world.play('tell me', { model });
        assert.ok(outcome.kind === 'failed' && outcome.reason === 'cut-stream', JSON.stringify(outcome));
        assert.match(outcome.message, /nothing for 1 seconds.*cairn\.idleTimeout/);
        const last = (await world.engine.sessions.open(world.sessionId)).messages.at(-1);
        assert.ok(last?.role === 'assistant');
        assert.deepEqual([last.finish, last.parts], ['cut-off', [{ type: 'text', text: 'Half' }]]);
        // The connection does not stay open.
        await world.server.requests[0]?.hungUp;
      }));

    it('is retried when nothing was received yet', () =>
      withWorld(
        {
          settings: SOON,
          story: [{ call: [{ name: 'fs_ls', arguments: {} }], hold: 'for ever' }, { say: 'Now I can.' }],
        },
        async (world) => {
          const { outcome } = await world.play('tell me', { model });
          assert.deepEqual(outcome, { kind: 'completed', answer: 'Now I can.' });
          assert.equal(world.server.requests.length, 2);
        },
      ));

    it('does not time out while data arrives', () =>
      withWorld(
        { settings: { idleTimeout: 2 }, story: [{ say: 'A slow but steady answer.', chunk: 2, pauseMs: 200 }] },
        async (world) => {
          const { outcome } = await world.play('tell me', { model });
          assert.deepEqual(outcome, { kind: 'completed', answer: 'A slow but steady answer.' });
        },
      ));
  });
}

describe('An answer that never starts', function () {
  this.timeout(30_000);

  it('ends with the reason', () =>
    withWorld({ settings: SOON, story: Array(3).fill({ fail: 'hang' }) }, async (world) => {
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
