/**
 * Returns a stream in which each item is replaced with those that `each` returns for it, in order, followed by those of `atEnd`.
 * It is not a generator, which would add a wait per item, and a long answer has tens of thousands. `open` is called when the
 * first item is requested. Rejects with what `open`, the source or `each` throws; if `each` throws, the source is closed.
 */
export function mappedStream<From, To extends object>(
  open: () => AsyncIterable<From>,
  each: (item: From) => readonly To[],
  atEnd: () => readonly To[] = () => [],
): AsyncIterable<To> {
  return { [Symbol.asyncIterator]: () => new MappedIterator(open, each, atEnd) };
}

/** The iterator behind `mappedStream`. */
export class MappedIterator<From, To extends object> implements AsyncIterator<To, undefined, void> {
  private from: AsyncIterator<From> | undefined;
  /** The remaining results of an item whose first one was delivered. */
  private waiting: To[] = [];
  private isOver = false;

  constructor(
    private readonly open: () => AsyncIterable<From>,
    private readonly each: (item: From) => readonly To[],
    private readonly atEnd: () => readonly To[],
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<To, undefined>> {
    const value = this.waiting.shift();
    if (value) return Promise.resolve({ done: false, value });
    if (this.isOver) return Promise.resolve({ done: true, value: undefined });
    const { from } = this;
    return from ? from.next().then((next) => this.taken(next) ?? this.later(from)) : this.first();
  }

  async return(): Promise<IteratorResult<To, undefined>> {
    this.waiting = [];
    this.isOver = true;
    await this.from?.return?.();
    return { done: true, value: undefined };
  }

  /** Returns undefined if an item yields nothing. */
  private taken(next: IteratorResult<From, unknown>): IteratorResult<To, undefined> | undefined {
    if (next.done) this.isOver = true;
    const [value, ...more] = next.done ? this.atEnd() : this.made(next.value);
    if (!value) return next.done ? { done: true, value: undefined } : undefined;
    if (more.length > 0) this.waiting = more;
    return { done: false, value };
  }

  private made(item: From): readonly To[] {
    try {
      return this.each(item);
    } catch (error) {
      // A failure to close the source no longer matters.
      this.return().catch(() => undefined);
      throw error;
    }
  }

  private async first(): Promise<IteratorResult<To, undefined>> {
    const from = this.open()[Symbol.asyncIterator]();
    this.from = from;
    return this.later(from);
  }

  private async later(from: AsyncIterator<From>): Promise<IteratorResult<To, undefined>> {
    for (;;) {
      const taken = this.taken(await from.next());
      if (taken) return taken;
    }
  }
}
