import { untilAborted } from './abort';
import { Deferred } from './deferred';

/** Lets one piece of work go on at a time, in the order in which they came. */
export class Turns {
  private last: Promise<void> = Promise.resolve();

  /** Rejects with AbortError while it waits, and with what `work` rejects. */
  async take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const before = this.last;
    const done = new Deferred<void>();
    this.last = done.promise;
    try {
      await untilAborted(before, signal);
      return await work();
    } finally {
      void before.then(() => done.resolve());
    }
  }
}
