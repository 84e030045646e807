/** One line of the table: a measurement and its budget. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The number of significant decimals. */
  readonly digits: number;
  /** The minimum and maximum of the runs that the value is the median of. */
  readonly range?: readonly [number, number];
  /** The maximum allowed value. */
  readonly budget?: number;
}

export function verdictOf({ value, budget }: Row): 'met' | 'not met' | '' {
  if (budget === undefined) return '';
  return value <= budget ? 'met' : 'not met';
}

/** The factor by which a ratio of times may exceed its budget, since two alternating programs never see exactly the same machine. */
const NOISE = 1.25;

/**
 * Returns true if a row exceeds its budget: a ratio by more than `NOISE`, a size or an amount by any margin. Absolute times
 * differ between machines, so only the table says whether they are met.
 */
export function isBroken({ value, unit, budget }: Row): boolean {
  if (budget === undefined || unit === 'ms') return false;
  return value > (unit === '×' ? budget * NOISE : budget);
}
