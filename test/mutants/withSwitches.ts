import type { Mutant } from './mutant';

/** Asks the process whether a mutant is the one that is tried; the runner of the tests defines it. */
export const SWITCH = 'globalThis.isMutant';

interface Insertion {
  readonly at: number;
  /** Of what is inserted at the same place, the lowest comes first. */
  readonly order: number;
  readonly text: string;
}

/**
 * A source with all of its mutants, each of which is asked for when the place is reached: so one bundle serves them all. Only
 * adds text, so that what lies in one another stays in one another.
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
  // What ends somewhere comes before what begins there; the shorter ends first, the longer begins first.
  return [
    { at: start, order: 1e9 - length, text: before },
    { at: end, order: length - 1e9, text: after },
  ];
}
