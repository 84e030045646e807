import { untilAborted } from './abort';
import { Deferred } from './deferred';

/** Runs one piece of work at a time, in the order of arrival. */
export class Mutex {
  private readonly keyed = new KeyedMutex();

  /** Rejects with AbortError if aborted while waiting, and with whatever `work` rejects with. */
  take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.keyed.take([''], work, signal);
  }
}

/** Runs one piece of work at a time per key, in the order of arrival. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<void>>();

  /** Rejects with AbortError if aborted while waiting, and with whatever `work` rejects with. */
  async take<T>(keys: readonly string[], work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const before = Promise.all(keys.map((key) => this.last.get(key) ?? Promise.resolve()));
    const done = new Deferred<void>();
    for (const key of keys) this.last.set(key, done.promise);
    try {
      await untilAborted(before, signal);
      return await work();
    } finally {
      void before.then(() => {
        done.resolve();
        for (const key of keys) if (this.last.get(key) === done.promise) this.last.delete(key);
      });
    }
  }
}
