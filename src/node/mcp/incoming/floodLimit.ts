/** The time over which messages are counted. */
const WINDOW_MS = 60_000;
/** A server that sends more than this in that time without being asked is stopped. Busy servers log a hundred lines per second. */
export const MOST_UNASKED = 20_000;
const CHARACTERS_PER_MESSAGE = 10_000;

/** Counts what a server sends without being asked. */
export class FloodLimit {
  private since = -Infinity;
  private count = 0;
  /** Large messages count as several. */
  private cost = 0;

  /** `onFlood` is called when the server has to be stopped. */
  constructor(private readonly onFlood: () => void) {}

  /** True once the server has to be stopped; nothing is counted any more. */
  get isOver(): boolean {
    return this.cost > MOST_UNASKED;
  }

  /** Counts a message of that many characters, and returns how many there were. */
  add(characters: number): number {
    const now = performance.now();
    if (now - this.since > WINDOW_MS) [this.since, this.count, this.cost] = [now, 0, 0];
    this.count++;
    this.cost += 1 + characters / CHARACTERS_PER_MESSAGE;
    if (this.isOver) this.onFlood();
    return this.count;
  }
}
