import { neverAnswered } from './neverAnswered';

/** Longer than any pause before a retry, and shorter than any limit for silence. */
const LONGEST_PAUSE_MS = 5000;

/** Sleeps by a clock on which the pause before a retry is over at once and no limit is ever reached. */
export function retriesAtOnce(ms: number, signal: AbortSignal): Promise<void> {
  return ms > LONGEST_PAUSE_MS ? neverAnswered(signal) : Promise.resolve();
}
