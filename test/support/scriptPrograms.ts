import { join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { ASSETS_FOLDER } from './assetsFolder';

/** What scripts are described and run with, as the build leaves it. */
export const scriptPrograms = {
  assets: join(ASSETS_FOLDER, 'scripts'),
  moduleRunner: join(repoRoot, 'dist/runScript.mjs'),
  grammars: join(repoRoot, 'dist'),
  sqliteRunner: join(repoRoot, 'dist/querySqlite.mjs'),
};
