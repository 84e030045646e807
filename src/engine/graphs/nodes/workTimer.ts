import { NOT_NEEDED } from '../../../base/abort';

interface WorkTimerParts {
  readonly leftMs: number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  /** Called once if the time runs out. */
  readonly onLate: () => void;
}

/** Measures the time of work, which does not count while the timer is paused. It starts paused. */
export class WorkTimer {
  private left: number;
  private running: { readonly stop: AbortController; readonly since: number } | undefined;
  private isOver = false;

  constructor(private readonly parts: WorkTimerParts) {
    this.left = parts.leftMs;
  }

  run(): void {
    if (this.isOver || this.running) return;
    const { sleep, now, onLate } = this.parts;
    if (this.left <= 0) {
      this.isOver = true;
      onLate();
      return;
    }
    const stop = new AbortController();
    this.running = { stop, since: now() };
    sleep(this.left, stop.signal).then(
      () => {
        if (!stop.signal.aborted) onLate();
      },
      () => undefined,
    );
  }

  pause(): void {
    if (!this.running) return;
    const { stop, since } = this.running;
    this.running = undefined;
    this.left -= this.parts.now() - since;
    stop.abort(NOT_NEEDED);
  }

  /** Ends the timer; nothing is reported anymore. */
  end(): void {
    this.isOver = true;
    this.pause();
  }
}
