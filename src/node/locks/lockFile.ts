import { linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimes, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { FileLock } from '../../engine';
import { errorCode } from '../fileError';
import { isOwn, isStale, newHolder, readLock } from './lockHolder';

/** No write of a file takes so long. */
const ABANDONED_MS = 600_000;

const OF_WRITE = /^\.[0-9a-f-]{36}\.tmp$/;
const REFRESH_MS = 10_000;
/** While others take over the same lock. */
const ATTEMPTS = 20;
const AGAIN_MS = 5;
/** What systems say of a disk that has no second names for a file. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'UNKNOWN']);

/**
 * Takes a lock that holds between processes: a file that names its holder. Null when another process holds it. The lock of a
 * process that is gone is taken over; within one process it keeps nobody out, and whoever had it before has it no more.
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

/** True while a process has it that is another one and not gone. */
export async function isLocked(file: string): Promise<boolean> {
  const found = readLock(file);
  return found !== undefined && !isOwn(found.text) && !(await isStale(found));
}

/** False when the file is there. It has its text from the start, so that one that is killed leaves no lock without a name. */
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
 * Puts our name into the lock of a holder that is gone. Only who has the file beside it may, and looks at the lock again
 * before: another one may have been faster since it was judged.
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

/** Of a process that was killed while it took the lock over. One that lives is done in a moment. */
async function clearNext(next: string): Promise<void> {
  const found = readLock(next);
  if (!found || !(await isStale(found))) return;
  const moved = `${next}.${newHolder().split(' ')[2]}.tmp`;
  try {
    renameSync(next, moved);
    // Another one may have done the same meanwhile, and begun: it gets its file back.
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
  // What is left there is in nobody's way.
  await sweepLeftovers(file).catch(() => undefined);
  return held;
}

function names(file: string, holder: string): boolean {
  try {
    return readFileSync(file, 'utf8') === holder;
  } catch {
    // A lock that is gone, or cannot be read, gives no right.
    return false;
  }
}

function removeOwn(file: string, holder: string): void {
  if (names(file, holder)) rmSync(file, { force: true });
}

function heldLock(file: string, holder: string): FileLock {
  const timer = setInterval(() => {
    const now = new Date();
    // A holder whose file is gone has nothing to refresh.
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

/** Removes what processes that were killed left beside a lock: files that were to become a lock, or another file. */
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
