import type { Mutant } from './mutant';

/** Tells whether a mutant is the active one. Defined by the test runner. */
export const SWITCH = 'globalThis.isMutant';

interface Insertion {
  readonly at: number;
  /** At the same position, the lowest comes first. */
  readonly order: number;
  readonly text: string;
}

/**
 * Returns a source with all of its mutants, each behind a check at run time, so that one bundle serves them all. Only inserts
 * text, so that nesting is preserved.
 */
export function withSwitches(text: string, mutants: ReadonlyMap<number, Mutant>): string {
  const insertions = [...mutants].flatMap(([id, mutant]) => around(id, mutant));
  insertions.sort((a, b) => a.at - b.at || a.order - b.order);
  let result = '';
  let from = 0;
  for (const { at, text: added } of insertions) {
    result += text.slice(from, at) + added;
    from = at;
  }
  return result + text.slice(from);
}

function around(id: number, { start, end, replacement }: Mutant): Insertion[] {
  const length = end - start;
  const [before, after] =
    replacement === undefined
      ? [`{ if (!${SWITCH}(${id})) `, ' }']
      : [`(${SWITCH}(${id}) ? (${replacement}) : (`, '))'];
  // At the same position, ends come before starts; shorter mutants end first, and longer ones start first.
  return [
    { at: start, order: 1e9 - length, text: before },
    { at: end, order: length - 1e9, text: after },
  ];
}
