/** One line of the table: something measured, and what it may be at most. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Decimals that mean something. */
  readonly digits: number;
  /** Smallest and largest of the runs that the value is the median of. */
  readonly range?: readonly [number, number];
  /** Of times: that of the best rounds, which a busy machine moves least. */
  readonly best?: number;
  /** At most this much. */
  readonly budget?: number;
}

export function verdictOf({ value, budget }: Row): 'met' | 'not met' | '' {
  if (budget === undefined) return '';
  return value <= budget ? 'met' : 'not met';
}

/** By how much times may be over their budget on a machine of which nobody knows what else it does. */
const SLACK = 1.5;

/** True when a row breaks its budget beyond doubt: times in the middle and at their best, with some slack, all else as it is. */
export function isBroken({ value, best, budget }: Row): boolean {
  if (budget === undefined) return false;
  // A ratio at its best says too much when only the other side had a lucky round.
  return best === undefined ? value > budget : Math.min(value, best) > budget * SLACK;
}
