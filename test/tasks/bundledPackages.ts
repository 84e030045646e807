import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../editor/repoRoot';

/** A package of which something is in a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly dir: string;
}

/** The packages in the bundles, according to the inputs that the bundler recorded in `.build/meta/*.json`. */
export function bundledPackages(): BundledPackage[] {
  const metaDir = path.join(repoRoot, '.build', 'meta');
  const found = new Map<string, BundledPackage>();
  for (const file of readdirSync(metaDir).filter((name) => name.endsWith('.json'))) {
    for (const input of readInputs(path.join(metaDir, file))) {
      const bundled = packageOf(input);
      if (bundled) found.set(bundled.dir, bundled);
    }
  }
  if (found.size === 0) throw new Error(`No bundled package was found in ${metaDir}: has the build written it?`);
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}

function readInputs(file: string): string[] {
  const meta: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const hasInputs = typeof meta === 'object' && meta !== null && 'inputs' in meta;
  if (!hasInputs || typeof meta.inputs !== 'object' || meta.inputs === null) {
    throw new Error(`${file} is not a metafile of esbuild: it has no inputs.`);
  }
  return Object.keys(meta.inputs);
}

/** The package a file belongs to: the innermost one, if a package contains its own copy of another. */
function packageOf(input: string): BundledPackage | undefined {
  const match = /^(.*node_modules\/)((?:@[^/]+\/)?[^/]+)\//.exec(input);
  const [, parent, name] = match ?? [];
  if (parent === undefined || name === undefined) return undefined;
  return { name, dir: path.join(repoRoot, parent, name) };
}
