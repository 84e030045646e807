import { existsSync, readFileSync } from 'node:fs';

/** What a mocha run leaves in a file for the process that started it. */
export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  /** What failed: the full title of each test, and its error. */
  readonly failures: readonly string[];
  /** The full titles of the tests that were not run. */
  readonly skipped: readonly string[];
  /** The lines of the run, as a person reads them. */
  readonly lines: readonly string[];
}

/** The report in a file; undefined when the run died before it could write one. */
export function readTestReport(file: string): TestReport | undefined {
  if (!existsSync(file)) return undefined;
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return isTestReport(value) ? value : undefined;
}

/** Whether something that another process sent or wrote is a report. */
export function isTestReport(value: unknown): value is TestReport {
  return (
    typeof value === 'object' &&
    value !== null &&
    'passed' in value &&
    'failed' in value &&
    'failures' in value &&
    'skipped' in value &&
    'lines' in value
  );
}
