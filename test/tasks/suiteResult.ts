/** What one suite of `npm test` came to. */
export interface SuiteResult {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
}
