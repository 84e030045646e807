import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { arrayBuffer, blob, json, text } from 'node:stream/consumers';
import { joinBytes } from '../../base/concatAll';
import { PassedBody } from '../../base/streams/passedBody';
import { PlainHeaders } from '../../base/streams/plainHeaders';

/** Statuses whose response cannot have a body. */
const EMPTY = new Set([101, 204, 205, 304]);

/** A `Response` over a node:http response. The built-in class would load all of the built-in fetch. */
export class PlainResponse implements Response {
  readonly headers = new PlainHeaders();
  readonly status: number;
  readonly statusText: string;
  readonly ok: boolean;
  readonly type = 'default';
  private stream: ReadableStream<Uint8Array> | null | undefined;
  private used = false;

  readonly url: string;
  readonly redirected: boolean;
  private readonly content: Readable;

  /** `body` is the response's body, decompressed. */
  constructor(
    incoming: IncomingMessage,
    { body, url, redirected }: { body: Readable; url: string; redirected: boolean },
  ) {
    this.content = body;
    this.url = url;
    this.redirected = redirected;
    const { rawHeaders, statusCode = 200, statusMessage = '' } = incoming;
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      this.headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
    }
    this.status = statusCode;
    this.statusText = statusMessage;
    this.ok = statusCode >= 200 && statusCode < 300;
    if (!EMPTY.has(statusCode)) return;
    incoming.resume();
    this.stream = null;
  }

  get body(): ReadableStream<Uint8Array> | null {
    if (this.stream === undefined) this.stream = incomingBody(this.content);
    return this.stream;
  }

  get bodyUsed(): boolean {
    return this.used || this.stream?.locked === true;
  }

  readonly arrayBuffer = () => arrayBuffer(this.source());
  readonly blob = () => blob(this.source());
  readonly json = (): Promise<unknown> => json(this.source());
  readonly text = () => text(this.source());
  readonly formData = () => Promise.reject(new TypeError('Forms cannot be read.'));
  readonly clone = () => {
    throw new TypeError('This response cannot be cloned; read it once and keep what it says.');
  };

  /** Returns the unread body. Throws if it was already read. */
  private source(): AsyncIterable<Uint8Array> {
    if (this.bodyUsed) throw new TypeError('The body was read already.');
    this.used = true;
    return this.stream ?? this.content;
  }
}

/** Wraps the body of a response as a web stream of Node's chunks. */
function incomingBody(incoming: Readable): ReadableStream<Uint8Array> {
  return new PassedBody({
    pieces: () => new ArrivingPieces(incoming),
    stream: () => webStream(incoming),
    cancel: () => {
      incoming.destroy();
      return Promise.resolve();
    },
  });
}

function webStream(incoming: Readable): ReadableStream<Uint8Array> {
  const reader = new ArrivingPieces(incoming);
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

type Next = IteratorResult<Uint8Array, undefined>;
const END: Next = { done: true, value: undefined };
/** Number of unread bytes that pauses the source. */
const MOST_WAITING = 64 * 1024;

/**
 * Iterates over the body of a response. Node's own iterator attaches listeners for everything a stream can be, which is most of
 * the cost of a short response, and yields each chunk of a packet separately; this one joins chunks that arrive together. Rejects
 * with the stream's error once everything before it has been read. Returning early destroys the stream.
 */
export class ArrivingPieces implements AsyncIterator<Uint8Array, undefined, void> {
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;
  private asking: { resolve: (next: Next) => void; reject: (error: Error) => void } | undefined;
  private isOver = false;
  private failure: Error | undefined;
  private listens = false;
  /** Set until the microtask that collects chunks arriving together has run. */
  private isTelling = false;

  constructor(private readonly source: Readable) {}

  next(): Promise<Next> {
    return new Promise((resolve, reject) => {
      this.asking = { resolve, reject };
      this.listen();
      this.tell();
    });
  }

  return(): Promise<Next> {
    this.isOver = true;
    this.waiting = [];
    this.source.destroy();
    return Promise.resolve(END);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private listen(): void {
    const { source } = this;
    if (this.listens) return;
    this.listens = true;
    source.on('data', (piece: Uint8Array) => this.take(piece));
    source.on('end', () => this.end());
    source.on('error', (error) => this.end(error));
    source.on('close', () => this.end(cutOff()));
    if (source.destroyed) this.end(source.errored ?? cutOff());
  }

  private take(piece: Uint8Array): void {
    this.waiting.push(piece);
    this.waitingBytes += piece.length;
    if (this.waitingBytes > MOST_WAITING) this.source.pause();
    this.tellSoon();
  }

  private end(failure?: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    this.failure = failure;
    this.tellSoon();
  }

  private tellSoon(): void {
    if (this.isTelling || !this.asking) return;
    this.isTelling = true;
    queueMicrotask(() => {
      this.isTelling = false;
      this.tell();
    });
  }

  private tell(): void {
    const { asking, waiting, failure } = this;
    const [first, ...more] = waiting;
    if (!asking || (!first && !this.isOver)) return;
    this.asking = undefined;
    if (!first) {
      this.failure = undefined;
      return failure ? asking.reject(failure) : asking.resolve(END);
    }
    this.waiting = [];
    if (this.waitingBytes > MOST_WAITING) this.source.resume();
    this.waitingBytes = 0;
    asking.resolve({ done: false, value: more.length > 0 ? joinBytes(waiting) : first });
  }
}

/** Creates the same error as Node. */
function cutOff(): Error {
  return Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}
