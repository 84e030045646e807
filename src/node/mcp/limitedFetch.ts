import type { Fetch } from '../../engine';

/** The maximum size of a message. */
export const MAX_MESSAGE_BYTES = 20_000_000;
/** The error for larger messages. */
export const TOO_MUCH = `A response of more than ${MAX_MESSAGE_BYTES / 1_000_000} MB was not read.`;

/** Messages in a stream end with an empty line. */
const ENDS = ['\n\n', '\r\n\r\n', '\r\r'];
const LONGEST_END = 4;

/** Limits each message in a server's responses; a larger one calls `onTooMuch`, and the response fails. */
export function limitedFetch(fetch: Fetch, onTooMuch: () => void): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    const isStream = /^\s*text\/event-stream\b/i.test(headers.get('content-type') ?? '');
    const pieces: ReadableStream<Uint8Array> = body;
    const limit = limitOf(isStream ? sinceEnd() : sum(), onTooMuch);
    return new Response(pieces.pipeThrough(limit), { status, statusText, headers: [...headers] });
  };
}

function limitOf(sizeWith: (piece: Uint8Array) => number, onTooMuch: () => void) {
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      if (sizeWith(piece) <= MAX_MESSAGE_BYTES) {
        controller.enqueue(piece);
        return;
      }
      onTooMuch();
      controller.error(new Error(TOO_MUCH));
    },
  });
}

/** Counts the bytes received. */
function sum(): (piece: Uint8Array) => number {
  let size = 0;
  return (piece) => (size += piece.length);
}

/** Counts the bytes since the last message ended, possibly in the middle of a chunk. */
function sinceEnd(): (piece: Uint8Array) => number {
  let size = 0;
  let last = Buffer.alloc(0);
  return (piece) => {
    const near = Buffer.concat([last, piece]);
    last = Buffer.from(near.subarray(-(LONGEST_END - 1)));
    const end = Math.max(...ENDS.map((one) => near.lastIndexOf(one)));
    size = end < 0 ? size + piece.length : near.length - end;
    return size;
  };
}
