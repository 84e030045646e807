import type { Readable } from 'node:stream';

type Pipe<T> = { readable: ReadableStream<T>; writable: WritableStream<Uint8Array> };

/**
 * The body of an answer as a web stream. Who only goes through it, as SDKs do, gets Node's own chunks without one; the web
 * stream is made for who asks for more than that.
 */
export class IncomingBody implements ReadableStream<Uint8Array> {
  private made: ReadableStream<Uint8Array> | undefined;

  constructor(private readonly incoming: Readable) {}

  get locked(): boolean {
    return this.made?.locked ?? false;
  }

  cancel(reason?: unknown): Promise<void> {
    if (this.made) return this.made.cancel(reason);
    this.incoming.destroy();
    return Promise.resolve();
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
    return this.made ? this.made.values() : this.incoming[Symbol.asyncIterator]();
  }

  private get stream(): ReadableStream<Uint8Array> {
    return (this.made ??= webStream(this.incoming));
  }
}

function webStream(incoming: Readable): ReadableStream<Uint8Array> {
  const reader: AsyncIterator<Uint8Array> = incoming[Symbol.asyncIterator]();
  // Not the global one, which `useNodeFetch` replaces.
  const { ReadableStream } = process.getBuiltinModule('node:stream/web');
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await reader.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        controller.error(error);
      }
    },
    cancel() {
      incoming.destroy();
    },
  });
}
