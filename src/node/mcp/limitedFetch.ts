import type { Fetch } from '../../engine';

/** More bytes than this are no message. */
export const MAX_MESSAGE_BYTES = 20_000_000;
/** What is told of one that has more. */
export const TOO_MUCH = `A response of more than ${MAX_MESSAGE_BYTES / 1_000_000} MB was not read.`;

/** Where a message ends in a stream of them: with an empty line. */
const ENDS = ['\n\n', '\r\n\r\n', '\r\r'];
const LONGEST_END = 4;

/** Answers of a server, of which none is read past what a message may have; `onTooMuch` is told, and the answer fails. */
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

/** How much came. */
function sum(): (piece: Uint8Array) => number {
  let size = 0;
  return (piece) => (size += piece.length);
}

/** How much came since the last message ended, which may be in the middle of a piece. */
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
