/** A change that no test can notice. */
export interface Equivalent {
  readonly file: string;
  /** The whole line, without what it is indented by. */
  readonly line: string;
  readonly change: string;
  readonly why: string;
}

export const NEVER_UNDEFINED =
  'The index always lies inside, which the compiler does not know: what stands behind ?? is never used.';
