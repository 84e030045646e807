import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { until } from './until';

/** Longer than the slowest install observed, so that a second process waits for the first to finish. */
const LOCK_TIMEOUT_MS = 15 * 60_000;

/** Returns the folder that keeps downloaded editors across clones: CAIRN_EDITOR_CACHE, or a folder in the user's cache. */
function editorCacheDir(): string {
  const chosen = process.env['CAIRN_EDITOR_CACHE'];
  return chosen
    ? path.resolve(chosen)
    : path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'cairn-dev');
}

/**
 * Returns the folder `name` of the cache; on first use, `install` fills it. It fills a temporary folder next to it, which is
 * renamed at the end, so an interrupted install is never mistaken for a complete one; a second process waits for the first.
 */
export async function editorCache(name: string, install: (dir: string) => Promise<void>): Promise<string> {
  const target = path.join(editorCacheDir(), name);
  if (existsSync(target)) return target;
  await mkdir(editorCacheDir(), { recursive: true });
  const release = await lock(`${target}.lock`);
  try {
    if (existsSync(target)) return target;
    const partial = `${target}.partial`;
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial);
    await install(partial);
    await rename(partial, target);
    return target;
  } finally {
    await release();
  }
}

async function lock(dir: string): Promise<() => Promise<void>> {
  const owner = path.join(dir, 'pid');
  const take = async (): Promise<boolean> => {
    try {
      await mkdir(dir);
      await writeFile(owner, String(process.pid));
      return true;
    } catch {
      if (await isAbandoned(dir, owner)) await rm(dir, { recursive: true, force: true });
      return false;
    }
  };
  if (!(await take())) {
    console.log(`Waiting for another process that is installing into ${path.dirname(dir)} …`);
    await until(`the lock ${dir} (delete it if no other install is running)`, take, LOCK_TIMEOUT_MS);
  }
  return () => rm(dir, { recursive: true, force: true });
}

/** Returns true if the process that holds the lock is gone. A lock without a pid is still being written, unless it is old. */
async function isAbandoned(dir: string, owner: string): Promise<boolean> {
  try {
    process.kill(Number(await readFile(owner, 'utf8')), 0);
    return false;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ESRCH') return true;
    const made = await stat(dir).then(
      (info) => info.mtimeMs,
      () => Date.now(),
    );
    return code === 'ENOENT' && Date.now() - made > 10_000;
  }
}
