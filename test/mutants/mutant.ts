/** A change at one place that the tests should detect. */
export interface Mutant {
  /** Path of the source, relative to the repository. */
  readonly file: string;
  readonly line: number;
  /** The whole line, which identifies the place when lines above are added or removed. */
  readonly lineText: string;
  /** A readable description: `a < b → a <= b`. */
  readonly change: string;
  /** Whether the place is outside any function, so that it is reached only while the file loads. */
  readonly isAtLoad: boolean;
  readonly start: number;
  readonly end: number;
  /** The replacement; undefined to remove a statement. */
  readonly replacement: string | undefined;
}
