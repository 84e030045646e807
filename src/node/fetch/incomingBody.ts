import type { Readable } from 'node:stream';
import { PassedBody } from '../../base/streams/passedBody';

/** The body of an answer as a web stream, of Node's own chunks. */
export function incomingBody(incoming: Readable): ReadableStream<Uint8Array> {
  return new PassedBody({
    pieces: () => incoming[Symbol.asyncIterator](),
    stream: () => webStream(incoming),
    cancel: () => {
      incoming.destroy();
      return Promise.resolve();
    },
  });
}

function webStream(incoming: Readable): ReadableStream<Uint8Array> {
  const reader: AsyncIterator<Uint8Array> = incoming[Symbol.asyncIterator]();
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
