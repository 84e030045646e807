import { mkdir, open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { randomId } from '../../base/randomId';
import type { FileLock } from '../../engine';
import { errorCode } from '../errorCode';

const REFRESH_MS = 10_000;
/** Nobody has refreshed it for so long: its holder is gone, or stands still on another machine. */
const STALE_MS = 60_000;

/**
 * Takes a lock that holds between processes: a file that names its holder. Null when another process holds it. The lock of a
 * process that is gone is taken over; within one process it keeps nobody out.
 */
export async function lockFile(file: string): Promise<FileLock | null> {
  const holder = `${hostname()} ${process.pid} ${randomId()}`;
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await created(file, holder)) return heldLock(file, holder);
    if (!(await isStale(file))) return null;
    await rm(file, { force: true });
  }
  return null;
}

async function created(file: string, holder: string): Promise<boolean> {
  try {
    const handle = await openNew(file);
    try {
      await handle.writeFile(holder);
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function openNew(file: string) {
  try {
    return await open(file, 'wx');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await mkdir(path.dirname(file), { recursive: true });
    return open(file, 'wx');
  }
}

async function isStale(file: string): Promise<boolean> {
  try {
    const [host, pid] = (await readFile(file, 'utf8')).split(' ');
    const refreshed = (await stat(file)).mtimeMs;
    if (Date.now() - refreshed > STALE_MS) return true;
    // One that is just being written names nobody yet.
    return host === hostname() && pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return true;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It may belong to somebody else.
    return errorCode(error) === 'EPERM';
  }
}

function heldLock(file: string, holder: string): FileLock {
  const timer = setInterval(() => {
    const now = new Date();
    // A holder whose file is gone has nothing to refresh.
    utimes(file, now, now).catch(() => undefined);
  }, REFRESH_MS);
  timer.unref();
  return {
    async release() {
      clearInterval(timer);
      const named = await readFile(file, 'utf8').catch(() => '');
      if (named === holder) await rm(file, { force: true });
    },
  };
}
