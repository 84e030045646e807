import assert from 'node:assert/strict';
import { ratioRow } from './ratioRow';
import { isBroken, type Row } from './row';

const row = (value: number, unit: string): Row => ({ what: 'it', value, unit, digits: 1, budget: 100 });

describe('A budget of the benchmark', () => {
  it('of a ratio may be exceeded by a quarter and no more, in the middle of the rounds', () => {
    assert.deepEqual([row(124, '×'), row(126, '×')].map(isBroken), [false, true]);
    const luckyOnce = ratioRow('it', [130, 130, 10], [1, 1, 1], 100);
    assert.equal(isBroken(luckyOnce), true);
  });

  it('of a size may not be exceeded, and of a time alone is only told', () => {
    assert.deepEqual([row(100, 'KB'), row(101, 'KB'), row(1000, 'ms')].map(isBroken), [false, true, false]);
  });
});
