const INTERVAL_MS = 100;

/** Passes on at most one message per subject and interval: the first at once, and the latest of the rest once the interval is over. */
export class Coalescer<T> {
  private readonly waiting = new Map<string, { timer: NodeJS.Timeout; latest: T | undefined }>();

  constructor(private readonly pass: (message: T) => void) {}

  add(subject: string, message: T): void {
    const before = this.waiting.get(subject);
    if (before) {
      before.latest = message;
      return;
    }
    this.pass(message);
    this.wait(subject);
  }

  /** Drops what is waiting about a subject. */
  forget(subject: string): void {
    clearTimeout(this.waiting.get(subject)?.timer);
    this.waiting.delete(subject);
  }

  /** Passes on what is waiting. */
  end(): void {
    const all = [...this.waiting.values()];
    for (const { timer } of all) clearTimeout(timer);
    this.waiting.clear();
    for (const { latest } of all) if (latest !== undefined) this.pass(latest);
  }

  private wait(subject: string): void {
    const timer = setTimeout(() => {
      const latest = this.waiting.get(subject)?.latest;
      this.waiting.delete(subject);
      if (latest === undefined) return;
      this.pass(latest);
      this.wait(subject);
    }, INTERVAL_MS).unref();
    this.waiting.set(subject, { timer, latest: undefined });
  }
}
