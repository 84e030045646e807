import { untilAborted } from './abort';

/** A promise with its resolver exposed; resolving it a second time is a no-op. */
export class Deferred<T> {
  readonly promise: Promise<T>;
  resolve!: (value: T) => void;
  reject!: (error: unknown) => void;

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}

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

/**
 * A queue with `push` on one side and `for await` on the other. After `end`, items that were already pushed are still delivered.
 * When the loop exits, for whatever reason, `onLeft` is called and nothing more is collected.
 */
export class AsyncQueue<T> implements AsyncIterable<T> {
  private items: T[] = [];
  private wake: (() => void) | undefined;
  private ended = false;

  constructor(private readonly onLeft: () => void = () => undefined) {}

  push(item: T): void {
    if (this.ended) return;
    this.items.push(item);
    this.wake?.();
  }

  end(): void {
    this.ended = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    try {
      for (;;) {
        const batch = this.items;
        this.items = [];
        yield* batch;
        if (this.items.length > 0) continue;
        if (this.ended) return;
        await new Promise<void>((resolve) => (this.wake = resolve));
        this.wake = undefined;
      }
    } finally {
      this.ended = true;
      this.items = [];
      this.onLeft();
    }
  }
}

/** Wraps `work` so that concurrent callers share it: calls during a run share one more run, which starts after the current one. */
export function runCoalesced(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = () => {
    next = undefined;
    const mine = work().finally(() => {
      if (current === mine) current = undefined;
    });
    current = mine;
    return mine;
  };
  return () => {
    if (!current) return begin();
    next ??= current.then(begin, begin);
    return next;
  };
}
