/** One line of the table: something measured, and what it may be at most. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Decimals that mean something. */
  readonly digits: number;
  /** Smallest and largest of the runs that the value is the median of. */
  readonly range?: readonly [number, number];
  /** At most this much. */
  readonly budget?: number;
}

export function verdictOf({ value, budget }: Row): 'met' | 'not met' | '' {
  if (budget === undefined) return '';
  return value <= budget ? 'met' : 'not met';
}

/** By how much a ratio of times may be over its budget, as two things that run by turns never have quite the same machine. */
const NOISE = 1.25;

/**
 * True when a row breaks its budget: a ratio by more than its noise, a size or an amount by anything. Times alone are another
 * on each machine, and only the table tells whether they are met.
 */
export function isBroken({ value, unit, budget }: Row): boolean {
  if (budget === undefined || unit === 'ms') return false;
  return value > (unit === '×' ? budget * NOISE : budget);
}
