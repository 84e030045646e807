import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { AbortError, throwIfAborted, untilAborted } from '../../base/abort';
import { KeyedMutex } from '../../base/mutex';
import type { FileLock } from '../../engine';
import { cacheFolder } from '../cacheFolder';
import { errorCode, fileError } from '../fileError';
import { resolveLinks } from '../resolveLinks';
import { lockFile } from './lockFile';

const LOOK_AGAIN_MS = 20;

/** Of the whole process, because files are: several engines may run in it. */
const turns = new KeyedMutex();

/**
 * Does `work` while nobody else in here changes these files: one after the other within this process, and behind locks between
 * the processes of one person. Files are told by where they really are, so a link and its target are one.
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

/** Two names that differ in case may be one file, and never need to be two here. */
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
  // Everyone takes them in the same order, so that nobody waits for one who waits for them.
  const names = [...new Set(keys.map(lockOf))].sort();
  const used: SharedLock[] = [];
  try {
    for (const name of names) used.push(await SharedLock.use(name, signal));
    return await work();
  } finally {
    for (const lock of used.reverse()) await lock.leave();
  }
}

/** Each file belongs to one of 256 locks, so that a folder of thousands takes no more than these. */
function lockOf(key: string): string {
  // Not imported: it would be loaded at each start, which takes longer than what most commands do with files.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(key).digest('hex').slice(0, 2);
}

/**
 * A lock between processes that all changes of this process have together: files of one lock that are not the same wait for
 * each other in different processes only.
 */
class SharedLock {
  private static readonly held = new Map<string, SharedLock>();
  private readonly unwanted = new AbortController();
  private readonly taken: Promise<FileLock>;
  private users = 0;

  private constructor(private readonly name: string) {
    this.taken = takeLock(name, this.unwanted.signal);
    // Each user hears of it.
    this.taken.catch(() => undefined);
  }

  /** Resolves once this process has it. Rejects with AbortError, and when it cannot be taken. */
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

  /** Its last user gives it back. */
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
    // Some containers have no home that can be written; files are changed there all the same.
    return lockIn(path.join(tmpdir(), `cairn-${process.getuid?.() ?? 'locks'}`, name));
  }
}

function lockIn(file: string): Promise<FileLock | null> {
  mkdirSync(path.dirname(file), { recursive: true });
  return lockFile(file);
}
