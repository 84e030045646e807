import assert from 'node:assert/strict';
import { withWorld } from '../../support/engineWorld';
import type { StepFailure } from '../../support/modelServer/story';
import { retriesAtOnce as sleep } from '../../support/retriesAtOnce';

const BREAKS = ['cut-before', 'error-in-stream'] as const;

for (const model of ['openai:test-model', 'anthropic:test-model', 'custom:test-model']) {
  describe(`A stream of ${model} that breaks before its first token`, () => {
    for (const fail of BREAKS) {
      it(`is silently retried at most twice (${fail})`, () =>
        withWorld({ sleep, story: [{ fail }, { fail }, { say: 'Third time lucky.' }] }, async (world) => {
          const { outcome, events } = await world.play('go', { model });
          assert.deepEqual(outcome, { kind: 'completed', answer: 'Third time lucky.' });
          assert.equal(world.server.requests.length, 3);
          assert.deepEqual(
            events.filter(({ type }) => type === 'notice'),
            [],
          );
          const { messages } = await world.engine.sessions.open(world.sessionId);
          assert.deepEqual(
            messages.map(({ role }) => role),
            ['user', 'assistant'],
          );
        }));
    }

    it('fails after the third attempt with its reason', () =>
      withWorld({ sleep, story: Array<{ fail: StepFailure }>(3).fill({ fail: 'error-in-stream' }) }, async (world) => {
        const { outcome } = await world.play('go', { model });
        assert.ok(outcome.kind === 'failed' && outcome.reason === 'server', JSON.stringify(outcome));
        assert.equal(world.server.requests.length, 3);
      }));
  });
}
