/** The result of one suite of `npm test`. */
export interface SuiteResult {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  /** Readable descriptions of the failures. */
  readonly failures?: readonly string[];
  /** The full titles of skipped tests. */
  readonly skipped: readonly string[];
  /** Only for suites of test files. */
  readonly files?: readonly FileResult[];
}

/** The result of one test file. */
export interface FileResult {
  readonly file: string;
  readonly failed: number;
  readonly seconds: number;
}
