import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A new folder that is removed when this process ends, including by Ctrl+C. */
export function temporaryDir(prefix: string): string {
  const dir = realpathSync(mkdtempSync(path.join(tmpdir(), prefix)));
  process.on('exit', () => {
    try {
      rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
    } catch (error) {
      console.error(`${dir} could not be removed: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  return dir;
}
