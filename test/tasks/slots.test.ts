import assert from 'node:assert/strict';
import { Deferred } from '../../src/base/async';
import { Slots } from './slots';

describe('A concurrency slot', () => {
  it('goes to the lowest rank next, even after a failure', async () => {
    const slots = new Slots(1);
    const begun: number[] = [];
    const first = new Deferred<void>();
    const failing = slots.use(0, async () => {
      await first.promise;
      throw new Error('broken');
    });
    const others = [3, 1, 2].map((rank) => slots.use(rank, async () => void begun.push(rank)));
    assert.deepEqual(begun, []);
    first.resolve();
    await assert.rejects(failing, /broken/);
    await Promise.all(others);
    assert.deepEqual(begun, [1, 2, 3]);
  });
});
