import assert from 'node:assert/strict';
import { costOf } from '../../../src/engine/llm/model';
import { loadModelCatalog } from '../../../src/engine/llm/modelCatalog';

const rates = { input: 10, cachedInput: 1, cacheWrite: 12.5, output: 50 };
const prices = { ...rates, long: null };

describe('costOf', () => {
  it('charges cache reads, cache writes and the rest at their own prices', () => {
    const usage = { inputTokens: 1000, outputTokens: 100, cachedInputTokens: 600, cacheWriteTokens: 300 };
    const parts = [100 * 10, 600 * 1, 300 * 12.5, 100 * 50];
    assert.equal(costOf(usage, { prices }), parts.reduce((sum, one) => sum + one) / 1_000_000);
  });

  it('charges cached input as input when it has no price of its own', () => {
    const plain = { prices: { ...prices, cachedInput: null, cacheWrite: null } };
    const usage = { inputTokens: 1000, outputTokens: 0 };
    const cached = { ...usage, cachedInputTokens: 500, cacheWriteTokens: 500 };
    assert.equal(costOf(cached, plain), costOf(usage, plain));
  });

  it('charges all of a long request at its higher price', () => {
    const long = { prices: { ...rates, long: { above: 1000, ...rates, input: 20, output: 75 } } };
    assert.equal(costOf({ inputTokens: 1000, outputTokens: 1 }, long), (1000 * 10 + 50) / 1_000_000);
    assert.equal(costOf({ inputTokens: 1001, outputTokens: 1 }, long), (1001 * 20 + 75) / 1_000_000);
  });

  it('returns nothing when prices are unknown', () => {
    assert.equal(costOf({ inputTokens: 1, outputTokens: 1 }, { prices: null }), null);
    assert.equal(loadModelCatalog().find('demo:tour')?.prices, null);
  });
});
