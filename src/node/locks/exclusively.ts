import { setTimeout } from 'node:timers/promises';
import { KeyedMutex } from '../../base/mutex';
import { EngineError, type FileLock } from '../../engine';
import { fileError } from '../fileError';
import { resolveLinks } from '../resolveLinks';
import { lockFile } from './lockFile';
import { holderName, readLock } from './lockHolder';

const AGAIN_MS = 10;
/** Reading, comparing and writing takes a moment; whoever has the lock for longer stands still. */
const WAIT_MS = 10_000;

const turns = new KeyedMutex();

/**
 * Does work, such as reading, changing and writing a file, while nobody else does theirs under the lock of that name: in this
 * process one after the other, against other processes with the lock. Its folder has to be there. Rejects with EngineError
 * `io` when another process does not come to an end.
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
    // The wait has an end of its own.
    new AbortController().signal,
  );
}

async function lockInTime(lock: string): Promise<FileLock> {
  let until: number | undefined;
  for (;;) {
    const held = await lockFile(lock).catch((error: unknown) => Promise.reject(fileError(error, lock)));
    if (held) return held;
    // Not asked before there is somebody to wait for: with the first question Node loads what measures performance.
    until ??= performance.now() + WAIT_MS;
    if (performance.now() > until) {
      const holder = holderName(readLock(lock)?.text ?? '');
      throw new EngineError('io', `${holder} still holds ${lock}. End that process, then try again.`);
    }
    await setTimeout(AGAIN_MS);
  }
}
