import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A separate folder for one test, whose path contains no links. */
export interface TemporaryFolder {
  path: string;
  /** Writes files by relative path, creating folders as needed. */
  write(files: Record<string, string | Uint8Array>): Promise<void>;
  remove(): Promise<void>;
}

export async function temporaryFolder(): Promise<TemporaryFolder> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'cairn-test-')));
  return {
    path: folder,
    async write(files) {
      for (const [name, contents] of Object.entries(files)) {
        const file = path.join(folder, name);
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, contents);
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
