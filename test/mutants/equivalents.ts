/** A change that no test can notice. */
export interface Equivalent {
  readonly file: string;
  /** The whole line, without what it is indented by. */
  readonly line: string;
  readonly change: string;
  readonly why: string;
}

/** Known ones; each was looked at. They count as explained, not as noticed. */
export const equivalents: readonly Equivalent[] = [];
