/** What one suite of `npm test` came to. */
export interface SuiteResult {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  /** What failed, as a person reads it. */
  readonly failures?: readonly string[];
  /** The full titles of the tests that were not run. */
  readonly skipped: readonly string[];
  /** Of a suite of test files. */
  readonly files?: readonly FileResult[];
}

/** What one test file came to. */
export interface FileResult {
  readonly file: string;
  readonly failed: number;
  readonly seconds: number;
}
