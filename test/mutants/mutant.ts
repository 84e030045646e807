/** One change of one place, which the tests should notice. */
export interface Mutant {
  /** Of the source, relative to the repository. */
  readonly file: string;
  readonly line: number;
  /** The whole line, by which the place is known again when lines above it come or go. */
  readonly lineText: string;
  /** What is done, for people: `a < b → a <= b`. */
  readonly change: string;
  /** It stands outside of functions, so that it is reached while the file is loaded and never again. */
  readonly isAtLoad: boolean;
  readonly start: number;
  readonly end: number;
  /** What stands there instead; a statement is left out when there is none. */
  readonly replacement: string | undefined;
}
