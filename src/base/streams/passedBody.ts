type Pipe<T> = { readable: ReadableStream<T>; writable: WritableStream<Uint8Array> };
type Pieces = ReturnType<ReadableStream<Uint8Array>['values']>;

/** The source of a body: its raw chunks, or a web stream. Only one of the two is called, and only once. */
interface BodySource {
  pieces(): Pieces;
  stream(): ReadableStream<Uint8Array>;
  /** Called while there is no stream yet. */
  cancel(reason: unknown): Promise<void>;
}

/**
 * A body as a web stream. Plain iteration, which is all that SDKs do, gets the chunks without one; the web stream is only created
 * for other uses.
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
