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
