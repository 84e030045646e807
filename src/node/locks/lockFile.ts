import { linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimes, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { FileLock } from '../../engine';
import { errorCode } from '../fileError';
import { isOwn, isStale, newHolder, readLock } from './lockHolder';

/** Longer than any write of a file takes. */
const ABANDONED_MS = 600_000;

const OF_WRITE = /^\.[0-9a-f-]{36}\.tmp$/;
const REFRESH_MS = 10_000;
/** Retries while other processes take over the same lock. */
const ATTEMPTS = 20;
const AGAIN_MS = 5;
/** Errors on file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'UNKNOWN']);

/**
 * Takes a lock between processes: a file that names its holder. Returns null if another process has it. The lock of a dead
 * process is taken over. Within one process it excludes no one: taking it again invalidates the earlier lock.
 */
export async function lockFile(file: string): Promise<FileLock | null> {
  const holder = newHolder();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (placed(file, holder)) return swept(file, holder);
    const found = readLock(file);
    if (!found) continue;
    if (!isOwn(found.text) && !(await isStale(found))) return null;
    if (await tookOver(file, holder)) return swept(file, holder);
    await setTimeout(AGAIN_MS);
  }
  return null;
}

/** Whether another live process has the lock. */
export async function isLocked(file: string): Promise<boolean> {
  const found = readLock(file);
  return found !== undefined && !isOwn(found.text) && !(await isStale(found));
}

/**
 * Creates the lock file; returns false if it exists. The text is there from the start, so a killed process cannot leave a lock
 * without a name.
 */
function placed(file: string, holder: string): boolean {
  try {
    aside(file, holder, (temporary) => linkSync(temporary, file));
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return false;
    if (code === undefined || !NO_LINKS.has(code)) throw error;
    return placedWithoutLinks(file, holder);
  }
}

function placedWithoutLinks(file: string, holder: string): boolean {
  try {
    writeFileSync(file, holder, { flag: 'wx' });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function aside(file: string, holder: string, use: (temporary: string) => void): void {
  const temporary = `${file}.${holder.split(' ')[2]}.tmp`;
  try {
    writeFileSync(temporary, holder, { flag: 'wx' });
    use(temporary);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Replaces the lock of a dead holder. Only the process that has the `.next` file may do so, and it checks the lock again first,
 * because another process may have taken it over since.
 */
async function tookOver(file: string, holder: string): Promise<boolean> {
  const next = `${file}.next`;
  if (!placed(next, holder)) {
    await clearNext(next);
    return false;
  }
  try {
    const found = readLock(file);
    if (!found || !(isOwn(found.text) || (await isStale(found)))) return false;
    aside(file, holder, (temporary) => renameSync(temporary, file));
    return true;
  } finally {
    removeOwn(next, holder);
  }
}

/** Removes the `.next` file of a process that was killed during a takeover. A live process removes its own in a moment. */
async function clearNext(next: string): Promise<void> {
  const found = readLock(next);
  if (!found || !(await isStale(found))) return;
  const moved = `${next}.${newHolder().split(' ')[2]}.tmp`;
  try {
    renameSync(next, moved);
    // Another process may have cleared it in the meantime and started a takeover, so its file is restored.
    const text = readFileSync(moved, 'utf8');
    if (text !== found.text) placed(next, text);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  } finally {
    rmSync(moved, { force: true });
  }
}

async function swept(file: string, holder: string): Promise<FileLock> {
  const held = heldLock(file, holder);
  // Leftovers do no harm.
  await sweepLeftovers(file).catch(() => undefined);
  return held;
}

function names(file: string, holder: string): boolean {
  try {
    return readFileSync(file, 'utf8') === holder;
  } catch {
    // A lock that is gone or unreadable counts as lost.
    return false;
  }
}

function removeOwn(file: string, holder: string): void {
  if (names(file, holder)) rmSync(file, { force: true });
}

function heldLock(file: string, holder: string): FileLock {
  const timer = setInterval(() => {
    const now = new Date();
    // Refresh only if the lock file still names this holder.
    if (names(file, holder)) utimes(file, now, now, () => undefined);
  }, REFRESH_MS);
  timer.unref();
  return {
    isHeld: () => names(file, holder),
    release() {
      clearInterval(timer);
      removeOwn(file, holder);
      return Promise.resolve();
    },
  };
}

/** Removes what killed processes left next to a lock: temporary files of locks and of other files. */
async function sweepLeftovers(lock: string): Promise<void> {
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
