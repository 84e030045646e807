import type { Disposable } from '../base/disposable';

/** Calls `ring` after `ms` milliseconds, unless disposed before. */
export type Alarm = (ms: number, ring: () => void) => Disposable;

/** Rings in real time. */
export function realAlarm(ms: number, ring: () => void): Disposable {
  const timer = setTimeout(ring, ms);
  return { dispose: () => clearTimeout(timer) };
}
