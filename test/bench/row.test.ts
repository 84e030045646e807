import assert from 'node:assert/strict';
import { ratioRow } from './ratioRow';
import { isBroken, type Row } from './row';

const row = (value: number, unit: string): Row => ({ what: 'it', value, unit, digits: 1, budget: 100 });

describe('A benchmark budget', () => {
  it('for a ratio allows the median to exceed it by a quarter', () => {
    assert.deepEqual([row(124, '×'), row(126, '×')].map(isBroken), [false, true]);
    const luckyOnce = ratioRow('it', [130, 130, 10], [1, 1, 1], 100);
    assert.equal(isBroken(luckyOnce), true);
  });

  it('for a size is a hard limit, and for a time alone is informational', () => {
    assert.deepEqual([row(100, 'KB'), row(101, 'KB'), row(1000, 'ms')].map(isBroken), [false, true, false]);
  });
});
