import { plainOutput } from './plainOutput';

/** A line is held back until it ends, because what follows may write it over again; but not a longer one. */
const MAX_LINE = 64_000;
/** No escape sequence is longer than this. */
const MAX_SEQUENCE = 300;
const ESCAPE = String.fromCharCode(0x1b);

/** `plainOutput` of an output that comes in chunks. */
export class PlainStream {
  private held = '';

  /** What can be said of the output so far and was not given before. */
  push(chunk: string): string {
    this.held += chunk;
    const end = this.held.lastIndexOf('\n') + 1;
    const lines = this.release(end);
    if (this.held.length <= MAX_LINE) return lines;
    this.forgetOverwritten();
    if (this.held.length <= MAX_LINE) return lines;
    const escape = this.held.lastIndexOf(ESCAPE);
    return lines + this.release(escape > this.held.length - MAX_SEQUENCE ? escape : this.held.length);
  }

  /** The last line, when it has no ending. */
  end(): string {
    return this.release(this.held.length);
  }

  private release(end: number): string {
    const text = plainOutput(this.held.slice(0, end));
    this.held = this.held.slice(end);
    return text;
  }

  private forgetOverwritten(): void {
    const last = this.held.lastIndexOf('\r', this.held.length - 2);
    // The state before stays too, in case the last one turns out to be empty.
    const before = last < 0 ? -1 : this.held.lastIndexOf('\r', last - 1);
    if (before >= 0) this.held = this.held.slice(before + 1);
  }
}
