import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { repoRoot } from '../editor/repoRoot';
import type { Mutant } from './mutant';
import { withSwitches } from './withSwitches';

/** Inserts the mutants, keyed by id, into the sources while they are bundled. No file is changed. */
export function switchesPlugin(mutants: ReadonlyMap<number, Mutant>): Plugin {
  const files = new Map<string, Map<number, Mutant>>();
  for (const [id, mutant] of mutants) {
    const file = path.join(repoRoot, mutant.file);
    files.set(file, (files.get(file) ?? new Map<number, Mutant>()).set(id, mutant));
  }
  return {
    name: 'switches',
    setup(build) {
      build.onLoad({ filter: /\.tsx?$/ }, ({ path: file }) => {
        const ofFile = files.get(file);
        if (!ofFile) return undefined;
        const contents = withSwitches(readFileSync(file, 'utf8'), ofFile);
        return { contents, loader: file.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
}
