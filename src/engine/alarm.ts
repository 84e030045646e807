import { NOT_NEEDED } from '../base/abort';
import { type Disposable, onDispose } from '../base/disposable';
import type { Clock } from './ports';

/** Calls `ring` after `ms` milliseconds, unless disposed before. */
export function setAlarm(clock: Pick<Clock, 'sleep' | 'alarm'>, ms: number, ring: () => void): Disposable {
  if (clock.alarm) return clock.alarm(ms, ring);
  const over = new AbortController();
  clock.sleep(ms, over.signal).then(ring, () => undefined);
  return onDispose(() => over.abort(NOT_NEEDED));
}
