import assert from 'node:assert/strict';
import { costWords } from '../../src/protocol/costWords';

describe('A cost in words', () => {
  for (const [usd, words] of [
    [0, '$0.00'],
    [0.0099, 'less than $0.01'],
    [0.01, '$0.01'],
    [9.994, '$9.99'],
    [10, '$10'],
    [13.6, '$14'],
  ] as const) {
    it(`is ${words} for ${usd}`, () => assert.equal(costWords(usd), words));
  }
});
