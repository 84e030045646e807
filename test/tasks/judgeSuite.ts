import type { SuiteResult } from './suiteResult';

export interface SuiteRules {
  readonly platform: NodeJS.Platform;
  /** Whether only some tests were requested. */
  readonly isChosen: boolean;
  readonly print: (line: string) => void;
}

/** The final result of a suite. Where everything can be tested, a skipped test counts as failed, and so does a suite without tests. */
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
