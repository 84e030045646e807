import assert from 'node:assert/strict';
import { EngineError } from '../../src/engine';
import { withWorld } from '../support/engineWorld';

describe('The engine', () => {
  it('lists the runs under way', () =>
    withWorld({ story: [{ hold: 'half', say: 'Done.' }] }, async (world) => {
      assert.deepEqual(world.engine.runs(), []);
      const handle = world.run('go');
      assert.deepEqual(world.engine.runs(), [handle]);
      world.server.release('half');
      await handle.outcome;
      assert.deepEqual(world.engine.runs(), []);
    }));

  it('rejects new runs after it was shut down', () =>
    withWorld({ story: [{ say: 'never' }] }, async (world) => {
      await world.engine.shutDown();
      const isSaid = (error: unknown) => EngineError.is(error, 'invalid-state') && /was shut down/.test(error.message);
      assert.throws(() => world.run('go'), isSaid);
      assert.equal(world.server.requests.length, 0);
    }));
});
