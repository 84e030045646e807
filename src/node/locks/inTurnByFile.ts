import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { AbortError, throwIfAborted, untilAborted } from '../../base/abort';
import { KeyedMutex } from '../../base/async';
import type { FileLock } from '../../engine';
import { cacheFolder } from '../cacheFolder';
import { errorCode, fileError } from '../fileError';
import { resolveLinks } from '../nodePaths';
import { lockFile } from './lockFile';

const LOOK_AGAIN_MS = 20;

/** Shared by the whole process, because files are: it may contain several engines. */
const turns = new KeyedMutex();

/**
 * Runs `work` while nothing else in Cairn changes these files: calls within this process take turns, and locks keep out the
 * user's other processes. Files are identified by their resolved paths, so a link and its target count as one.
 */
export async function inTurnByFile<T>(
  files: readonly string[],
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  throwIfAborted(signal);
  const keys = [...new Set(files.map(keyOf))];
  return turns.take(keys, () => behindLocks(keys, work, signal), signal);
}

/** Names that differ only in case may be the same file, and treating two files as one is harmless here. */
function keyOf(file: string): string {
  return realName(file).normalize('NFC').toLowerCase();
}

function realName(file: string): string {
  try {
    return resolveLinks(file);
  } catch (error) {
    throw fileError(error, file);
  }
}

async function behindLocks<T>(keys: readonly string[], work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  // Acquired in sorted order to prevent deadlocks.
  const names = [...new Set(keys.map(lockOf))].sort();
  const used: SharedLock[] = [];
  try {
    for (const name of names) used.push(await SharedLock.use(name, signal));
    return await work();
  } finally {
    for (const lock of used.reverse()) await lock.leave();
  }
}

/** Maps a file to one of 256 locks, so that even a folder with thousands of files needs no more. */
function lockOf(key: string): string {
  // Not imported: loading it at every startup takes longer than most commands' file operations.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(key).digest('hex').slice(0, 2);
}

/**
 * A lock between processes that is shared by all changes in this process: different files with the same lock block each other
 * only across processes.
 */
class SharedLock {
  private static readonly held = new Map<string, SharedLock>();
  private readonly unwanted = new AbortController();
  private readonly taken: Promise<FileLock>;
  private users = 0;

  private constructor(private readonly name: string) {
    this.taken = takeLock(name, this.unwanted.signal);
    // Each user of the lock handles the rejection.
    this.taken.catch(() => undefined);
  }

  /** Resolves once this process has the lock. Rejects with AbortError, or if the lock cannot be taken. */
  static async use(name: string, signal: AbortSignal): Promise<SharedLock> {
    const lock = SharedLock.held.get(name) ?? new SharedLock(name);
    SharedLock.held.set(name, lock);
    lock.users += 1;
    try {
      await untilAborted(lock.taken, signal);
    } catch (error) {
      await lock.leave();
      throw error;
    }
    return lock;
  }

  /** Releases the lock once its last user leaves. */
  async leave(): Promise<void> {
    this.users -= 1;
    if (this.users > 0) return;
    SharedLock.held.delete(this.name);
    this.unwanted.abort();
    const lock = await this.taken.catch(() => undefined);
    await lock?.release();
  }
}

async function takeLock(name: string, signal: AbortSignal): Promise<FileLock> {
  for (;;) {
    const lock = await tryLock(name);
    if (lock) return lock;
    await setTimeout(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {
      throw new AbortError();
    });
  }
}

async function tryLock(key: string): Promise<FileLock | null> {
  const name = path.join('changing-files', `${key}.lock`);
  try {
    return await lockIn(path.join(cacheFolder(process.env), name));
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) throw error;
    // Some containers have no writable home, but files must still be changed there.
    return lockIn(path.join(tmpdir(), `cairn-${process.getuid?.() ?? 'locks'}`, name));
  }
}

function lockIn(file: string): Promise<FileLock | null> {
  mkdirSync(path.dirname(file), { recursive: true });
  return lockFile(file);
}
