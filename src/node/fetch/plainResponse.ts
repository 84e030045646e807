import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { arrayBuffer, blob, json, text } from 'node:stream/consumers';
import { ArrivingPieces } from './arrivingPieces';
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
