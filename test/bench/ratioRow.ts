import { median, rangeOf } from './median';
import type { Row } from './row';

/** Returns the ratio of the medians; the range is that of the per-round ratios, since both were measured in each round. */
export function ratioRow(what: string, ours: readonly number[], theirs: readonly number[], budget?: number): Row {
  const perRound = ours.map((value, round) => value / (theirs[round] ?? NaN));
  const value = median(ours) / median(theirs);
  const row: Row = { what, value, range: rangeOf(perRound), unit: '×', digits: 2 };
  return budget === undefined ? row : { ...row, budget };
}
