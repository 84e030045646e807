import type { Suite, Test } from 'mocha';

/** One name for a test over all files. */
export function testName(test: Test | Suite): string {
  return `${test.file ?? ''} ${test.fullTitle()}`;
}

/**
 * Notes which mutants are reached while each test runs. What is reached while a suite begins counts for all of its tests;
 * what is reached while the files are loaded for none.
 */
export class MetMutants {
  private readonly met = new Map<Test | Suite, Set<number>>();
  private now: Set<number> | undefined;

  note(id: number): void {
    this.now?.add(id);
  }

  begin(what: Test | Suite): void {
    this.now = this.met.get(what) ?? new Set();
    this.met.set(what, this.now);
  }

  of(test: Test): number[] {
    const all = new Set(this.met.get(test));
    for (let suite = test.parent; suite; suite = suite.parent) this.met.get(suite)?.forEach((id) => all.add(id));
    return [...all];
  }
}
