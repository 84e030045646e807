/** Characters kept of the beginning and of the end of an output. */
const KEEP = 16_000_000;
/** Characters shown live before only the ends of big chunks are. */
const LIVE = 256_000;
const LIVE_CHUNK = 2000;

/** Collects what a command writes, in bounded memory: of more than 32 million characters the middle is let go. */
export class CommandOutput {
  private readonly head: string[] = [];
  private headLength = 0;
  private tail: string[] = [];
  private tailLength = 0;
  private dropped = 0;
  private live = 0;

  /** Keeps a chunk and gives what of it is to be shown at once: all of it, until a flood of output only its end. */
  add(chunk: string): string {
    const room = Math.max(0, KEEP - this.headLength);
    if (room > 0) {
      this.head.push(chunk.slice(0, room));
      this.headLength += Math.min(room, chunk.length);
    }
    if (chunk.length > room) this.addToTail(chunk.slice(room));
    return this.liveOf(chunk);
  }

  /** All that was kept, saying in the middle how much was not. */
  text(): string {
    const gap = this.dropped > 0 ? `\n… ${this.dropped} characters were not kept …\n` : '';
    return this.head.join('') + gap + this.tail.join('');
  }

  private addToTail(chunk: string): void {
    this.tail.push(chunk);
    this.tailLength += chunk.length;
    let first = 0;
    for (
      let oldest = this.tail[first];
      oldest !== undefined && this.tailLength - oldest.length >= KEEP;
      oldest = this.tail[first]
    ) {
      this.tailLength -= oldest.length;
      this.dropped += oldest.length;
      first++;
    }
    if (first > 0) this.tail = this.tail.slice(first);
  }

  private liveOf(chunk: string): string {
    this.live += chunk.length;
    return this.live > LIVE && chunk.length > LIVE_CHUNK ? `…${chunk.slice(-LIVE_CHUNK)}` : chunk;
  }
}
