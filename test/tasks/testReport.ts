import { existsSync, readFileSync } from 'node:fs';

/** What a mocha run leaves in a file for its parent process. */
export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  /** The full title of each failed test, with its error. */
  readonly failures: readonly string[];
  /** The full titles of skipped tests. */
  readonly skipped: readonly string[];
  /** The readable output of the run. */
  readonly lines: readonly string[];
}

/** Reads the report in a file. Returns undefined if the run died before writing one. */
export function readTestReport(file: string): TestReport | undefined {
  if (!existsSync(file)) return undefined;
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return isTestReport(value) ? value : undefined;
}

/** Whether a value from another process is a report. */
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
