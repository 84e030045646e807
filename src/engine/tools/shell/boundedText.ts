import type { Truncated } from '../../../base/truncate';

/** Collects a text of any length in bounded memory: of more than `max` characters only the head and the tail are kept. */
export class BoundedText {
  private head = '';
  private tail = '';
  private omitted = 0;

  constructor(private readonly max: number) {}

  get isEmpty(): boolean {
    return this.head === '';
  }

  add(text: string): void {
    const half = Math.ceil(this.max / 2);
    const room = half - this.head.length;
    this.head += text.slice(0, room);
    if (text.length <= room) return;
    this.tail += text.slice(room);
    const over = this.tail.length - (this.max - half);
    // Not at every chunk, because each cut copies the tail.
    if (over > this.max) this.drop(over);
  }

  /** What was added since the last time, saying in the middle how much of it is missing. */
  take(): Truncated {
    const over = this.tail.length - Math.floor(this.max / 2);
    if (over > 0) this.drop(over);
    const { head, tail, omitted } = this;
    this.head = '';
    this.tail = '';
    this.omitted = 0;
    return { text: omitted > 0 ? `${head}\n... ${omitted} characters left out ...\n${tail}` : head + tail, omitted };
  }

  private drop(count: number): void {
    this.tail = this.tail.slice(count);
    this.omitted += count;
  }
}
