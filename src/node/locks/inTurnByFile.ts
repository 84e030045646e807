import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { AbortError, throwIfAborted } from '../../base/abort';
import { KeyedMutex } from '../../base/mutex';
import type { FileLock } from '../../engine';
import { cacheFolder } from '../cacheFolder';
import { errorCode } from '../errorCode';
import { fileError } from '../fileError';
import { resolveLinks } from '../resolveLinks';
import { lockFile } from './lockFile';

/** Each file belongs to one of so many locks, so that a folder of thousands takes no more than these. */
const LOCKS = 64;
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
  // Everyone takes them in the same order, so that nobody waits for one who waits for them.
  const keys = [...new Set(files.map(lockOf))].sort();
  return turns.take(keys, () => behindLocks(keys, work, signal), signal);
}

/** Two names that differ in case may be one file, and never need to be two here. */
function lockOf(file: string): string {
  const real = realName(file).normalize('NFC').toLowerCase();
  // Not imported: it would be loaded at each start, which takes longer than what most commands do with files.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const [first = 0] = createHash('sha256').update(real).digest();
  return (first % LOCKS).toString().padStart(2, '0');
}

function realName(file: string): string {
  try {
    return resolveLinks(file);
  } catch (error) {
    throw fileError(error, file);
  }
}

async function behindLocks<T>(keys: readonly string[], work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const held: FileLock[] = [];
  try {
    for (const key of keys) held.push(await takeLock(key, signal));
    return await work();
  } finally {
    for (const lock of held.reverse()) await lock.release();
  }
}

async function takeLock(key: string, signal: AbortSignal): Promise<FileLock> {
  for (;;) {
    const lock = await tryLock(key);
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
