import { join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { ASSETS_FOLDER } from './assetsFolder';

/** The build output with which scripts are described and run. */
export const scriptPrograms = {
  assets: join(ASSETS_FOLDER, 'scripts'),
  moduleRunner: join(repoRoot, 'dist/runScript.mjs'),
  grammars: join(repoRoot, 'dist'),
  sqliteRunner: join(repoRoot, 'dist/querySqlite.mjs'),
};
