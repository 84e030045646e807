import type { SuiteResult } from './suiteResult';

export interface Total {
  /** `N passed, N failed, N skipped`, which CI looks for. */
  readonly line: string;
  readonly exitCode: 0 | 1;
}

/** The total of all suites. If nothing passed, nothing was tested, which is a failure. */
export function totalOf(results: readonly Pick<SuiteResult, 'passed' | 'failed' | 'skipped'>[]): Total {
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  const skipped = results.reduce((sum, result) => sum + result.skipped.length, 0);
  return {
    line: `${passed} passed, ${failed} failed, ${skipped} skipped`,
    exitCode: failed > 0 || passed === 0 ? 1 : 0,
  };
}
