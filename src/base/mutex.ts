import { untilAborted } from './abort';
import { Deferred } from './deferred';

/** Lets one piece of work go on at a time, in the order in which they came. */
export class Mutex {
  private readonly keyed = new KeyedMutex();

  /** Rejects with AbortError while it waits, and with what `work` rejects. */
  take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.keyed.take([''], work, signal);
  }
}

/** Lets one piece of work at a time go on with each key, in the order in which they came. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<void>>();

  /** Rejects with AbortError while it waits, and with what `work` rejects. */
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
