import type { Disposable } from '../../../base/disposable';
import { setAlarm } from '../../alarm';
import type { Clock } from '../../ports';

/** How long a stream may say nothing. */
export interface IdleLimit {
  clock: Pick<Clock, 'sleep' | 'alarm'>;
  /** Asked for each request, so that a change of the setting counts at once. */
  seconds: () => number;
}

/** Some vendors say that they are still there; a stream that says nothing else for so many limits is stalled all the same. */
const PATIENCE = 10;

export interface Watched {
  /** Since when something is waited for, and when a byte came last, in milliseconds since the epoch. */
  waitingSince: () => number;
  heardAt: () => number;
  onStall: (seconds: number) => void;
}

/** Tells when nothing came for too long, until it is disposed. Wakes up once in a while instead of at each piece. */
export function watchIdle({ clock, seconds }: IdleLimit, watched: Watched): Disposable {
  const limit = seconds();
  const limitMs = limit * 1000;
  let wasQuiet = false;
  const sleep = (ms: number) => setAlarm(clock, ms, look);
  let alarm = sleep(Math.max(1, limitMs));
  function look(): void {
    const now = Date.now();
    const waits = now - watched.waitingSince();
    const quiet = Math.min(waits, now - watched.heardAt());
    const isQuiet = quiet >= limitMs || waits >= PATIENCE * limitMs;
    alarm = sleep(isQuiet ? limitMs / 10 : Math.max(1, limitMs - quiet));
    // After a machine slept, what came meanwhile has to be read first.
    if (isQuiet && wasQuiet) watched.onStall(limit);
    wasQuiet = isQuiet && !wasQuiet;
  }
  return { dispose: () => alarm.dispose() };
}
