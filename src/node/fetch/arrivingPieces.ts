import type { Readable } from 'node:stream';
import { joinBytes } from '../../base/concatAll';

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
