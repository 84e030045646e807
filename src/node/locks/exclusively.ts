import { setTimeout } from 'node:timers/promises';
import { KeyedMutex } from '../../base/mutex';
import { EngineError, type FileLock } from '../../engine';
import { fileError } from '../fileError';
import { resolveLinks } from '../resolveLinks';
import { lockFile } from './lockFile';
import { holderName, readLock } from './lockHolder';

const AGAIN_MS = 10;
/** The protected work takes only a moment, so a process that has the lock for longer is stuck. */
const WAIT_MS = 10_000;

const turns = new KeyedMutex();

/**
 * Runs work, such as a read-modify-write of a file, while no one else runs theirs under the same lock: calls in this process take
 * turns, other processes are kept out by the lock file. The lock's folder must exist. Rejects with EngineError `io` if another
 * process does not release the lock.
 */
export async function exclusively<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const real = resolveLinks(lock);
  return turns.take(
    [real],
    async () => {
      const held = await lockInTime(real);
      try {
        return await work();
      } finally {
        await held.release();
      }
    },
    // `lockInTime` has its own timeout.
    new AbortController().signal,
  );
}

async function lockInTime(lock: string): Promise<FileLock> {
  let until: number | undefined;
  for (;;) {
    const held = await lockFile(lock).catch((error: unknown) => Promise.reject(fileError(error, lock)));
    if (held) return held;
    // Read only once there is something to wait for, because the first access makes Node load its performance module.
    until ??= performance.now() + WAIT_MS;
    if (performance.now() > until) {
      const holder = holderName(readLock(lock)?.text ?? '');
      throw new EngineError('io', `${holder} still holds ${lock}. End that process, then try again.`);
    }
    await setTimeout(AGAIN_MS);
  }
}
