import { isBroken, type Row } from '../bench/row';

/** A cost that has grown is there each time that it is measured, a busy moment of the machine is not. */
const MEASUREMENTS = 3;

/**
 * What is broken in every measurement. Only the groups with such rows are measured again, which is told what is still broken in
 * the group.
 */
export async function brokenEachTime(
  groups: ReadonlyMap<string, readonly Row[]>,
  measureAgain: (group: string, broken: readonly Row[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const broken: Row[] = [];
  for (const [name, measured] of groups) {
    let still = measured.filter(isBroken);
    for (let time = 2; time <= MEASUREMENTS && still.length > 0; time++) {
      const again = await measureAgain(name, still);
      still = still.filter(({ what }) => again.some((row) => row.what === what && isBroken(row)));
    }
    broken.push(...still);
  }
  return broken;
}
