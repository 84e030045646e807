import assert from 'node:assert/strict';
import { withWorld } from '../../support/engineWorld';

const signal = new AbortController().signal;

describe('The test of a key', () => {
  it('succeeds when the model starts to answer', () =>
    withWorld({ story: [{ say: 'OK' }] }, async ({ engine, server }) => {
      assert.equal(await engine.tryProvider('openai', signal), 'works');
      assert.equal(server.requests.length, 1);
    }));

  it("fails with the provider's message when the key is rejected", () =>
    withWorld({ acceptedKey: 'another', story: [{ say: 'OK' }] }, async ({ engine }) => {
      const failure = await engine.tryProvider('openai', signal);
      assert.ok(typeof failure === 'object');
      assert.equal(failure.reason, 'auth');
      assert.match(failure.message, /OpenAI/);
    }));

  it('does not succeed when no model of the provider is known', () =>
    withWorld({}, async ({ engine }) => {
      engine.registerProvider({
        ...{ id: 'bare', label: 'Bare', needsKey: true, isReady: () => Promise.resolve(true) },
        client: () => {
          throw new Error('Nobody may be asked.');
        },
      });
      assert.equal(await engine.tryProvider('bare', signal), 'untried');
    }));
});
