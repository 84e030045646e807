/** A generator's source of randomness. The same seed yields the same draws on every machine. */
export interface RandomNumbers {
  /** From 0 up to but not including `limit`. */
  below(limit: number): number;
  /** True once in `count` times on average. */
  oneIn(count: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
}

export function randomNumbers(seed: number): RandomNumbers {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    oneIn: (count) => below(count) === 0,
    pick: (from) => from[below(from.length)] ?? from[0],
  };
}
