const WINDOW_MS = 1000;
const MOST_LINES = 200;

/** Passes on a limited number of lines per second, and says how many were left out. */
export class LimitedLog {
  private since = -Infinity;
  private count = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly pass: (line: string) => void) {}

  /** `lineOf` is called only for a line that is passed on. */
  add(lineOf: () => string): void {
    if (performance.now() - this.since > WINDOW_MS) this.begin();
    this.count++;
    if (this.count <= MOST_LINES) this.pass(lineOf());
    // So that the gap is mentioned even if the server falls silent.
    else this.timer ??= setTimeout(() => this.begin(), WINDOW_MS).unref();
  }

  /** Mentions the lines left out so far. */
  end(): void {
    this.begin();
  }

  private begin(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const more = this.count - MOST_LINES;
    [this.since, this.count] = [performance.now(), 0];
    if (more > 0) this.pass(`(${more} more ${more === 1 ? 'line' : 'lines'} within a second, left out)`);
  }
}
