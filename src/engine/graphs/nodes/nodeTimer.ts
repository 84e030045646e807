import { AbortError, NOT_NEEDED } from '../../../base/abort';
import type { GraphDesk } from '../desk';

export type NodeWork<T> = (signal: AbortSignal) => Promise<T>;

/** Ends work whose time is up. */
export class NodeTimer {
  constructor(private readonly desk: Pick<GraphDesk, 'sleep'>) {}

  /** Rejects when the time is up, once the work has ended; without a time, and else, like `work`. */
  async within<T>(timeMs: number | undefined, work: NodeWork<T>, signal: AbortSignal): Promise<T> {
    if (timeMs === undefined) return work(signal);
    const [late, done] = [new AbortController(), new AbortController()];
    this.desk.sleep(timeMs, AbortSignal.any([signal, done.signal])).then(
      () => late.abort(new AbortError('Its time is up')),
      () => undefined,
    );
    try {
      return await work(AbortSignal.any([signal, late.signal]));
    } catch (error) {
      if (!late.signal.aborted || signal.aborted) throw error;
      throw new Error(`It was not done within ${timeMs / 1000} seconds.`, { cause: error });
    } finally {
      done.abort(NOT_NEEDED);
    }
  }
}
