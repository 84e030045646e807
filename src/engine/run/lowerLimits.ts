import type { RunLimits } from './stopConditions';

/** Of each limit the lower one, where both say something. */
export function lowerLimits(one: RunLimits, other: RunLimits): RunLimits {
  const limits = { ...one, ...other };
  for (const name of ['turns', 'timeMs', 'tokens', 'costUsd'] as const) {
    const [a, b] = [one[name], other[name]];
    if (a !== undefined && b !== undefined) limits[name] = Math.min(a, b);
  }
  return limits;
}
