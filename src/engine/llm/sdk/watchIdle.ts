import type { Disposable } from '../../../base/disposable';
import { setAlarm } from '../../alarm';
import type { Clock } from '../../ports';

/** How long a stream may be silent. */
export interface IdleLimit {
  clock: Pick<Clock, 'sleep' | 'alarm'>;
  /** Read for each request, so that a change of the setting applies at once. */
  seconds: () => number;
}

/** Some vendors send keep-alives. A stream with nothing else for this many limits counts as stalled anyway. */
const PATIENCE = 10;

export interface Watched {
  /** When the current wait began, and when the last byte arrived, in milliseconds since the epoch. */
  waitingSince: () => number;
  heardAt: () => number;
  onStall: (seconds: number) => void;
}

/** Calls `onStall` when nothing has come for too long, until disposed. Wakes up occasionally instead of on every chunk. */
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
    // Requires two looks in a row: after the machine slept, data that arrived in the meantime must be read first.
    if (isQuiet && wasQuiet) watched.onStall(limit);
    wasQuiet = isQuiet && !wasQuiet;
  }
  return { dispose: () => alarm.dispose() };
}
