import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { isStale, readLock } from './lockHolder';

/** No write of a file takes so long. */
const ABANDONED_MS = 600_000;
const OF_WRITE = /^\.[0-9a-f-]{36}\.tmp$/;

/** Removes what processes that were killed left beside a lock: files that were to become a lock, or another file. */
export async function sweepLeftovers(lock: string): Promise<void> {
  const folder = path.dirname(lock);
  const ofLock = `${path.basename(lock)}.`;
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.tmp')) continue;
    const file = path.join(folder, name);
    const isLeft = name.startsWith(ofLock) ? await isLeftLock(file) : OF_WRITE.test(name) && isOld(file);
    if (isLeft) rmSync(file, { force: true });
  }
}

async function isLeftLock(file: string): Promise<boolean> {
  const found = readLock(file);
  return found !== undefined && (await isStale(found));
}

function isOld(file: string): boolean {
  const modifiedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return modifiedAt !== undefined && Date.now() - modifiedAt > ABANDONED_MS;
}
