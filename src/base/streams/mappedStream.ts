/**
 * A stream each of whose items is replaced by those that `each` makes of it, in their order, and at its end by what `atEnd` has
 * left. There is no generator in between, since each item would wait in it once more, and a long answer has tens of thousands.
 * `open` is called when the first item is asked for; what it, the stream or `each` throws rejects, and ends the stream.
 */
export function mappedStream<From, To extends object>(
  open: () => AsyncIterable<From>,
  each: (item: From) => readonly To[],
  atEnd: () => readonly To[] = () => [],
): AsyncIterable<To> {
  return { [Symbol.asyncIterator]: () => new MappedIterator(open, each, atEnd) };
}

/** The iterator of such a stream. */
export class MappedIterator<From, To extends object> implements AsyncIterator<To, undefined, void> {
  private from: AsyncIterator<From> | undefined;
  /** Made of an item whose first was given. */
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

  /** Undefined when nothing is left of an item. */
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
      // What the stream says to that is nobody's any more.
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
