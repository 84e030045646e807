import { untilAborted } from '../../base/abort';
import { Deferred } from '../../base/deferred';

/** Lets one piece of work at a time go on with each file, in the order in which they came. */
export class FileTurns {
  private readonly last = new Map<string, Promise<void>>();

  /** Rejects with AbortError while it waits, and with what `work` rejects. */
  async take<T>(paths: readonly string[], work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const before = Promise.all(paths.map((path) => this.last.get(path) ?? Promise.resolve()));
    const done = new Deferred<void>();
    for (const path of paths) this.last.set(path, done.promise);
    try {
      await untilAborted(before, signal);
      return await work();
    } finally {
      void before.then(() => {
        done.resolve();
        for (const path of paths) if (this.last.get(path) === done.promise) this.last.delete(path);
      });
    }
  }
}
