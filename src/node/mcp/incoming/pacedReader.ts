import type { Readable } from 'node:stream';

/** How much is read at once, in characters, and how long reading pauses then. */
const PORTION = 256_000;
const PAUSE_MS = 50;

/** Reads what a program prints at a limited speed: one that prints without end would otherwise delay everything else. */
export class PacedReader {
  private left = PORTION;
  private timer: NodeJS.Timeout | undefined;
  private isEnding = false;

  constructor(
    private readonly stream: Readable,
    read: (text: string) => void,
  ) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      read(text);
      this.left -= text.length;
      if (this.left > 0 || this.isEnding) return;
      stream.pause();
      this.timer ??= setTimeout(() => this.resume(), PAUSE_MS).unref();
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
    this.left = PORTION;
    this.stream.resume();
  }
}
