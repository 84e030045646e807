import { existsSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import type { StagedPackage } from './stagedPackage';

/** Returns the latest output of `npm run package`. Throws if there is none. */
export function builtPackage(): StagedPackage {
  const vsix = path.join(repoRoot, 'cairn.vsix');
  if (!existsSync(vsix)) throw new Error(`${vsix} does not exist: make it with npm run package.`);
  return { dist: path.join(repoRoot, 'dist'), vsix: () => vsix };
}
