import type { Readable } from 'node:stream';

/** How much is read at once, in characters, and how long reading pauses then. */
interface Pace {
  readonly portion: number;
  /** 0: until everything else has had its turn. */
  readonly pauseMs: number;
}

/** For output that is only shown. */
const OF_LOGS: Pace = { portion: 256_000, pauseMs: 50 };
/** For messages, each of which takes far longer than a line of a log. */
export const OF_MESSAGES: Pace = { portion: 32_000, pauseMs: 0 };

/** Reads what a program prints in portions: one that prints without end would otherwise delay everything else. */
export class PacedReader {
  private left: number;
  private timer: NodeJS.Timeout | undefined;
  private isEnding = false;

  constructor(
    private readonly stream: Readable,
    read: (text: string) => void,
    private readonly pace: Pace = OF_LOGS,
  ) {
    this.left = pace.portion;
    stream.setEncoding('utf8').on('data', (text: string) => {
      read(text);
      this.left -= text.length;
      if (this.left > 0 || this.isEnding) return;
      stream.pause();
      if (pace.pauseMs > 0) this.timer ??= setTimeout(() => this.resume(), pace.pauseMs).unref();
      else setImmediate(() => this.resume());
    });
  }

  /** Reads the rest without a pause, once the program has ended. */
  finish(): void {
    this.isEnding = true;
    this.resume();
  }

  private resume(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.left = this.pace.portion;
    this.stream.resume();
  }
}
