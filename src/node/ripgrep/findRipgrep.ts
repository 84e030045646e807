import { access, constants } from 'node:fs/promises';
import path from 'node:path';

/** The first ripgrep that may be run: of the candidates (absolute paths), else on the PATH. Null when there is none. */
export async function findRipgrep(candidates: readonly string[], env: NodeJS.ProcessEnv): Promise<string | null> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const file of [...candidates, ...folders.map((folder) => path.join(folder, name))]) {
    if (await isRunnable(file)) return file;
  }
  return null;
}

async function isRunnable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
