import { joinBytes } from '../../../base/concatAll';
import { MappedIterator } from '../../../base/streams/mappedStream';
import { PassedBody } from '../../../base/streams/passedBody';
import type { Fetch } from '../../ports';
import { noteRetryAdvice } from './retryAdvice';
import { UnexpectedResponse } from './sdkError';

const lastHeard = new WeakMap<Response, number>();

/** Returns when the last byte of a response from `sdkFetch` arrived, in milliseconds since the epoch; 0 if unknown. */
export function heardAt(response: Response): number {
  return lastHeard.get(response) ?? 0;
}

/** Wraps `fetch` so that what a refusal says about another try is kept, and streams are delivered in whole events. */
export function sdkFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { body } = response;
    if (response.ok) return body ? inWholeEvents(response, body) : response;
    noteRetryAdvice(response.headers);
    return response;
  };
}

/** Changes the response in place, because creating a new one would load the built-in fetch where another is used. */
function inWholeEvents(response: Response, body: ReadableStream<Uint8Array>): Response {
  const heard = () => lastHeard.set(response, Date.now());
  let events: ReadableStream<Uint8Array> | undefined;
  // Created on first access, because bodies that are read whole do not go through here.
  Object.defineProperty(response, 'body', { get: () => (events ??= wholeEvents(body, heard)) });
  heard();
  return response;
}

/** More than any vendor sends in one event, even where the end of an answer repeats all of it. */
const LONGEST_EVENT = 16 * 1024 * 1024;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Delivers a stream's body event by event: the SDKs rescan all buffered data with each chunk, which takes a minute for an event
 * of 30 MB. Fails with UnexpectedResponse if an event is too long. `heard` is called for each chunk that arrives.
 */
function wholeEvents(body: ReadableStream<Uint8Array>, heard: () => void): ReadableStream<Uint8Array> {
  return new PassedBody({
    pieces: () => eventsOf(body, heard),
    stream: () => streamOf(eventsOf(body, heard)),
    cancel: (reason) => body.cancel(reason),
  });
}

type Events = MappedIterator<Uint8Array, Uint8Array>;

function eventsOf(body: ReadableStream<Uint8Array>, heard: () => void): Events {
  const events = new EventPieces();
  const add = (piece: Uint8Array): Uint8Array[] => {
    heard();
    const whole = events.add(piece);
    if (events.size > LONGEST_EVENT) {
      throw new UnexpectedResponse(`a line of more than ${LONGEST_EVENT / 1024 / 1024} MB`);
    }
    return whole ? [whole] : [];
  };
  const atEnd = () => {
    const rest = events.rest();
    return rest.length > 0 ? [rest] : [];
  };
  return new MappedIterator(() => body, add, atEnd);
}

function streamOf(events: Events): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await events.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: async () => {
        await events.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Buffers bytes until they form whole events, which end with an empty line. */
class EventPieces {
  private pieces: Uint8Array[] = [];
  private before = 0;
  private lineEnds = 0;
  /** Number of bytes buffered for an unfinished event. */
  size = 0;

  /** Returns the events that this piece completes, or undefined if there are none. */
  add(piece: Uint8Array): Uint8Array | undefined {
    const end = this.endOfEvents(piece);
    if (end === 0) {
      this.keep(piece);
      return undefined;
    }
    this.keep(piece.subarray(0, end));
    const whole = this.rest();
    if (end < piece.length) this.keep(piece.subarray(end));
    return whole;
  }

  rest(): Uint8Array {
    const [only, ...more] = this.pieces;
    const whole = only && more.length === 0 ? only : joinBytes(this.pieces);
    this.pieces = [];
    this.size = 0;
    return whole;
  }

  private keep(piece: Uint8Array): void {
    this.pieces.push(piece);
    this.size += piece.length;
  }

  /** Returns the offset after the last empty line, or 0 if there is none. */
  private endOfEvents(piece: Uint8Array): number {
    let end = 0;
    let next = 0;
    for (const at of lineEndsIn(piece)) {
      if (at > next) this.beginLine();
      const byte = piece[at] ?? 0;
      // CRLF counts as one line end.
      if (!(byte === LINE_FEED && this.before === CARRIAGE_RETURN)) this.lineEnds++;
      if (this.lineEnds >= 2) end = at + 1;
      this.before = byte;
      next = at + 1;
    }
    if (next < piece.length) this.beginLine();
    return end;
  }

  private beginLine(): void {
    this.lineEnds = 0;
    this.before = 0;
  }
}

/** Yields the offsets of line ends. Uses the native `indexOf`, which scans many bytes at a time, since line ends are rare. */
function* lineEndsIn(piece: Uint8Array): Generator<number, void, void> {
  let feed = piece.indexOf(LINE_FEED);
  let back = piece.indexOf(CARRIAGE_RETURN);
  while (feed !== -1 || back !== -1) {
    if (back === -1 || (feed !== -1 && feed < back)) {
      yield feed;
      feed = piece.indexOf(LINE_FEED, feed + 1);
    } else {
      yield back;
      back = piece.indexOf(CARRIAGE_RETURN, back + 1);
    }
  }
}
