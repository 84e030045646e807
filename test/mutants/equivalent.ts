/** A change that no test can detect. */
export interface Equivalent {
  readonly file: string;
  /** The whole line, without indentation. */
  readonly line: string;
  readonly change: string;
  readonly why: string;
}

export const NEVER_UNDEFINED =
  'The index always lies inside, which the compiler does not know: what stands behind ?? is never used.';
