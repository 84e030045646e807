import { NOT_NEEDED } from '../../../base/abort';
import type { Clock } from '../../ports';

/** Runs `work` with a signal that aborts with the given one or after `ms`. Rejects as `work` does. */
export async function inTime<T>(
  clock: Pick<Clock, 'sleep'>,
  ms: number,
  signal: AbortSignal,
  work: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const over = new AbortController();
  clock.sleep(ms, over.signal).then(
    () => late.abort(NOT_NEEDED),
    () => undefined,
  );
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } finally {
    over.abort(NOT_NEEDED);
  }
}
