import type { Suite, Test } from 'mocha';

/** A name for a test that is unique across files. */
export function testName(test: Test | Suite): string {
  return `${test.file ?? ''} ${test.fullTitle()}`;
}

/**
 * Records which mutants are reached by each test. Those reached by a suite's setup count for all of its tests; those reached
 * while files load count for none.
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
