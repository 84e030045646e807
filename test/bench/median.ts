/** Returns the median. Throws if there are no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const low = sorted[(sorted.length - 1) >> 1];
  const high = sorted[sorted.length >> 1];
  if (low === undefined || high === undefined) throw new Error('There is no median of nothing.');
  return (low + high) / 2;
}

export function rangeOf(values: readonly number[]): readonly [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

/** Returns the 95th percentile. Throws if there are no values. */
export function p95(values: readonly number[]): number {
  const found = [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1];
  if (found === undefined) throw new Error('There is no p95 of nothing.');
  return found;
}
