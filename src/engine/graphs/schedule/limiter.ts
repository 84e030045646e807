import { untilAborted } from '../../../base/abort';
import { Deferred } from '../../../base/deferred';

/** Limits the number of concurrent tasks; the others wait in order of arrival. */
export class Limiter {
  private free: number;
  private readonly waiting: Deferred<void>[] = [];

  constructor(most: number) {
    this.free = Math.max(1, most);
  }

  /** Rejects with AbortError while waiting; otherwise settles like `work`. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.enter(signal);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private async enter(signal: AbortSignal): Promise<void> {
    if (this.free > 0) {
      this.free--;
      return;
    }
    const turn = new Deferred<void>();
    this.waiting.push(turn);
    try {
      await untilAborted(turn.promise, signal);
    } catch (error) {
      const at = this.waiting.indexOf(turn);
      if (at >= 0) this.waiting.splice(at, 1);
      // The slot was already assigned.
      else this.leave();
      throw error;
    }
  }

  private leave(): void {
    const next = this.waiting.shift();
    if (next) next.resolve();
    else this.free++;
  }
}
