import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { transformSync } from 'esbuild';
import { findMutants } from './findMutants';
import type { Mutant } from './mutant';
import { withSwitches } from './withSwitches';

const SOURCE = `
  const told: string[] = [];
  const limit: number = 2;
  function judge(count: number, isBad: boolean): string {
    if (!isBad && count < limit) {
      told.push('few');
      return 'few' as const;
    }
    return told.length > 0 ? 'told' : 'none';
  }
  [judge(1, false), judge(2, false), [2, 3].some((count) => judge(count, true) === 'none'), told.length];
`;

/** The result of the source with one mutant active, or none. */
function result(mutants: readonly Mutant[], on?: Mutant): string {
  const numbered = new Map(mutants.entries());
  const { code } = transformSync(withSwitches(SOURCE, numbered), { loader: 'ts' });
  const isMutant = (id: number) => numbered.get(id) === on;
  return JSON.stringify(runInNewContext(code, { isMutant }));
}

describe('A source with switches for its mutants', () => {
  const mutants = findMutants('sample.ts', SOURCE);

  it('behaves like the original while all are off', () => {
    assert.equal(result(mutants), JSON.stringify(['few', 'told', false, 1]));
  });

  for (const change of [
    '!isBad && count < limit → !(!isBad && count < limit)',
    '!isBad && count < limit → (!isBad) || (count < limit)',
    'count < limit → (count) <= (limit)',
    "told.push('few'); → nothing",
    "'few' as const → undefined",
    'told.length > 0 → !(told.length > 0)',
    '2 → (2 + 1)',
  ]) {
    it(`behaves differently with the change ${change}`, () => {
      const mutant = mutants.find((one) => one.change === change);
      assert.ok(mutant, `it is not among ${mutants.map((one) => one.change).join('; ')}`);
      assert.notEqual(result(mutants, mutant), result(mutants));
    });
  }

  it('has no switches in types', () => {
    const ofTypes = mutants.filter(({ change }) => /number|string|boolean/.test(change));
    assert.deepEqual(ofTypes, []);
  });
});
