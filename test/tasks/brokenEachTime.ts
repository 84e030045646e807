import { isBroken, type Row } from '../bench/row';

/** A cost that has grown shows in every measurement; a busy moment of the machine does not. */
const MEASUREMENTS = 3;

/**
 * Returns the rows broken in every measurement. Measures again only groups with such rows, passing `measureAgain` the rows still
 * broken.
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
