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
