import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of this repository. Bundles run from `.build/`, so it is found by its contents and not by a fixed depth. */
export const repoRoot = findRepoRoot(path.dirname(fileURLToPath(import.meta.url)));

function findRepoRoot(folder: string): string {
  if (existsSync(path.join(folder, 'test', 'tasks', 'run.mjs'))) return folder;
  const parent = path.dirname(folder);
  if (parent === folder) throw new Error('The repository was not found: no parent folder has test/tasks/run.mjs.');
  return findRepoRoot(parent);
}
