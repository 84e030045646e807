type Pipe<T> = { readable: ReadableStream<T>; writable: WritableStream<Uint8Array> };
type Pieces = ReturnType<ReadableStream<Uint8Array>['values']>;

/** Where a body comes from: its pieces as they are, or as a web stream. Only one of both is asked for, and only once. */
export interface BodySource {
  pieces(): Pieces;
  stream(): ReadableStream<Uint8Array>;
  /** Before there is a stream. */
  cancel(reason: unknown): Promise<void>;
}

/**
 * A body as a web stream. Who only goes through it, as SDKs do, gets the pieces without one; the web stream is made for who
 * asks for more than that.
 */
export class PassedBody implements ReadableStream<Uint8Array> {
  private made: ReadableStream<Uint8Array> | undefined;

  constructor(private readonly source: BodySource) {}

  get locked(): boolean {
    return this.made?.locked ?? false;
  }

  cancel(reason?: unknown): Promise<void> {
    return this.made ? this.made.cancel(reason) : this.source.cancel(reason);
  }

  getReader(options: { mode: 'byob' }): ReadableStreamBYOBReader;
  getReader(): ReadableStreamDefaultReader<Uint8Array>;
  getReader(options?: { mode: 'byob' }): ReadableStreamBYOBReader | ReadableStreamDefaultReader<Uint8Array> {
    return options ? this.stream.getReader(options) : this.stream.getReader();
  }

  pipeThrough<T>(transform: Pipe<T>, options?: Parameters<ReadableStream['pipeThrough']>[1]): ReadableStream<T> {
    return this.stream.pipeThrough(transform, options);
  }

  pipeTo(destination: WritableStream<Uint8Array>, options?: Parameters<ReadableStream['pipeTo']>[1]): Promise<void> {
    return this.stream.pipeTo(destination, options);
  }

  tee(): [ReadableStream<Uint8Array>, ReadableStream<Uint8Array>] {
    return this.stream.tee();
  }

  values(options?: { preventCancel?: boolean }) {
    return this.stream.values(options);
  }

  [Symbol.asyncIterator]() {
    return this.made ? this.made.values() : this.source.pieces();
  }

  private get stream(): ReadableStream<Uint8Array> {
    return (this.made ??= this.source.stream());
  }
}
