import { counted } from '../../../base/counted';

const WINDOW_MS = 1000;
const MOST_LINES = 200;

/** Passes on a limited number of lines per second, and says how many were left out. */
export class LimitedLog {
  private since = -Infinity;
  private passed = 0;
  private leftOut = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly pass: (line: string) => void) {}

  /** `lineOf` is called only for a line that is passed on. */
  add(lineOf: () => string): void {
    if (performance.now() - this.since > WINDOW_MS) this.begin();
    if (this.passed === MOST_LINES) {
      this.leaveOut();
      return;
    }
    this.passed++;
    this.pass(lineOf());
  }

  /** Counts a line that nobody will see. */
  leaveOut(): void {
    this.leftOut++;
    // So that the gap is mentioned even if the server falls silent.
    this.timer ??= setTimeout(() => this.begin(), WINDOW_MS).unref();
  }

  /** Mentions the lines left out so far. */
  end(): void {
    this.begin();
  }

  private begin(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { leftOut } = this;
    [this.since, this.passed, this.leftOut] = [performance.now(), 0, 0];
    if (leftOut > 0) this.pass(`(${counted(leftOut, 'more line')} within a second, left out)`);
  }
}
