import path from 'node:path';
import { build } from 'esbuild';
import { repoRoot } from '../editor/repoRoot';

/** The programs of the benchmark as files that Node can run, bundled into `dir`. */
export interface BenchPrograms {
  readonly floorAgent: string;
  readonly instantModel: string;
  /** For `node --require`. */
  readonly exitReport: string;
}

export async function bundlePrograms(dir: string): Promise<BenchPrograms> {
  const bundle = async (name: string, format: 'esm' | 'cjs'): Promise<string> => {
    const outfile = path.join(dir, `${name}.${format === 'esm' ? 'mjs' : 'cjs'}`);
    const entryPoints = [path.join(repoRoot, 'test', 'bench', 'programs', `${name}.ts`)];
    // Minified, like the command line that it is compared with.
    await build({ entryPoints, outfile, format, bundle: true, minify: true, platform: 'node', target: 'node20' });
    return outfile;
  };
  return {
    floorAgent: await bundle('floorAgent', 'esm'),
    instantModel: await bundle('instantModel', 'esm'),
    exitReport: await bundle('exitReport', 'cjs'),
  };
}
