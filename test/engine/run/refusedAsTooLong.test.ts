import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/engine';
import { withWorld } from '../../support/engineWorld';
import type { Step } from '../../support/modelServer/story';

const message = "This model's maximum context length is 1000 tokens.";
const error = { message, type: 'invalid_request_error', code: 'context_length_exceeded', param: 'messages' };
const tooLong: Step = { fail: { status: 400, body: { error } } };

describe('A run whose model rejects the conversation as too long', () => {
  it('ends at its limit when the summary uses up the rest', () =>
    withWorld(
      {
        story: [
          { say: 'One.', usage: { input: 10, output: 5 } },
          tooLong,
          { say: 'NOTES', usage: { input: 900, output: 200 } },
          { say: 'Not asked for.' },
        ],
      },
      async (world) => {
        await world.play('first');
        const { outcome } = await world.play('second', { limits: { tokens: 1000 } });
        assert.deepEqual(outcome, { kind: 'limit-reached', limit: 'tokens' });
        assert.equal(world.server.requests.length, 3);
      },
    ));

  it('sends no more requests when cancelled while the conversation is compacted', () =>
    withWorld({ story: [{ say: 'One.' }, tooLong, { say: 'NOTES' }, { say: 'Not asked for.' }] }, async (world) => {
      await world.play('first');
      const handle = world.run('second');
      const later: AgentEvent['type'][] = [];
      let isCancelled = false;
      handle.subscribe(({ type }) => {
        if (isCancelled) later.push(type);
        if (type !== 'session-compressed') return;
        isCancelled = true;
        handle.cancel();
      });
      assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
      assert.equal(world.server.requests.length, 3);
      assert.ok(!later.includes('checkpoint-taken') && !later.includes('reply-finished'), later.join());
    }));
});
