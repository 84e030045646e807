import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { seededRandom } from '../support/seededRandom';
import { findMutants } from './findMutants';
import type { Mutant } from './mutant';
import type { MutatedModule } from './mutatedModule';

/** Picks some of a module's mutants, keyed by id. The same seed yields the same ones as long as the module is unchanged. */
export function chooseMutants(module: MutatedModule, count: number, seed: number): ReadonlyMap<number, Mutant> {
  const random = seededRandom(seed);
  const ranked = module.files
    .flatMap((file) => findMutants(file, readFileSync(path.join(repoRoot, file), 'utf8')))
    .map((mutant) => ({ mutant, rank: random() }));
  ranked.sort((a, b) => a.rank - b.rank);
  return new Map(ranked.slice(0, count).map(({ mutant }, index) => [index, mutant]));
}
