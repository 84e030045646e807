import assert from 'node:assert/strict';
import { lowerLimits, reachedLimit } from '../../../src/engine/run/stopConditions';

describe('The limits of a run', () => {
  const limits = { turns: 3, tokens: 100, costUsd: 1 };

  it('are each reached exactly at their value', () => {
    const below = { turns: 2, tokens: 99, costUsd: 0.9 };
    assert.equal(reachedLimit(limits, below), undefined);
    for (const [more, limit] of [
      [{ turns: 3 }, 'turns'],
      [{ tokens: 100 }, 'tokens'],
      [{ costUsd: 1 }, 'cost'],
    ] as const)
      assert.deepEqual(reachedLimit(limits, { ...below, ...more }), { kind: 'limit-reached', limit });
  });

  it('are never reached when unset or when usage is unknown', () => {
    assert.equal(reachedLimit({}, { turns: 1000, tokens: 1e9, costUsd: 1000 }), undefined);
    assert.equal(reachedLimit(limits, {}), undefined);
  });

  it('of an agent and its parent combine to the lower values', () => {
    const own = { turns: 3, tokens: 200, costUsd: 1, timeMs: 90_000 };
    const share = { turns: 5, tokens: 100, costUsd: 2, timeMs: 60_000 };
    const lower = { turns: 3, tokens: 100, costUsd: 1, timeMs: 60_000 };
    assert.deepEqual(lowerLimits(own, share), lower);
    assert.deepEqual(lowerLimits(share, own), lower);
    for (const one of ['turns', 'tokens', 'costUsd', 'timeMs'] as const) {
      assert.deepEqual(lowerLimits({ [one]: 7 }, {}), { [one]: 7 });
      assert.deepEqual(lowerLimits({}, { [one]: 7 }), { [one]: 7 });
    }
  });
});
