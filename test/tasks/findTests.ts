import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../editor/repoRoot';

/** The test files in folders of `test/`, sorted, as paths relative to the repository. */
export function findTests(...folders: readonly string[]): string[] {
  return folders
    .map((folder) => path.join('test', folder))
    .filter((folder) => existsSync(path.join(repoRoot, folder)))
    .flatMap((folder) =>
      readdirSync(path.join(repoRoot, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.test\.tsx?$/.test(file))
        .map((file) => path.join(folder, file)),
    )
    .sort();
}
