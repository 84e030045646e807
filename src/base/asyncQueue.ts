/**
 * Push on one side, `for await` on the other. After `end`, what was pushed before is still delivered. When the loop is left
 * before, `onLeft` is told, and nothing more is collected.
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
