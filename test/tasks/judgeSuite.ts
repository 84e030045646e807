import type { SuiteResult } from './suiteResult';

export interface SuiteRules {
  readonly platform: NodeJS.Platform;
  /** True when only some tests were asked for. */
  readonly isChosen: boolean;
  readonly print: (line: string) => void;
}

/** What a suite came to in the end: a test that was skipped where everything can be tested failed, and so did a suite without tests. */
export function judgeSuite(result: SuiteResult, { platform, isChosen, print }: SuiteRules): SuiteResult {
  let judged = result;
  if (judged.skipped.length > 0 && platform === 'linux') {
    print(`  ✗ skipped, though everything can be tested on Linux:\n    ${judged.skipped.join('\n    ')}`);
    judged = { ...judged, failed: judged.failed + judged.skipped.length };
  }
  if (judged.passed + judged.failed === 0 && !isChosen) {
    print(`  ✗ ${judged.name} ran no test`);
    judged = { ...judged, failed: 1 };
  }
  return judged;
}
