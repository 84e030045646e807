import assert from 'node:assert/strict';
import { lowerLimits, reachedLimit } from '../../../src/engine/run/stopConditions';

describe('the limits of a run', () => {
  const limits = { turns: 3, tokens: 100, costUsd: 1 };

  it('are reached one by one, at what they say and not before', () => {
    const below = { turns: 2, tokens: 99, costUsd: 0.9 };
    assert.equal(reachedLimit(limits, below), undefined);
    for (const [more, limit] of [
      [{ turns: 3 }, 'turns'],
      [{ tokens: 100 }, 'tokens'],
      [{ costUsd: 1 }, 'cost'],
    ] as const)
      assert.deepEqual(reachedLimit(limits, { ...below, ...more }), { kind: 'limit-reached', limit });
  });

  it('that nobody set are never reached, and of what is not told none is', () => {
    assert.equal(reachedLimit({}, { turns: 1000, tokens: 1e9, costUsd: 1000 }), undefined);
    assert.equal(reachedLimit(limits, {}), undefined);
  });

  it('of an agent and of who starts it are the lower ones, whoever sets them', () => {
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
