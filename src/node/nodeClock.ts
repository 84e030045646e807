import { setTimeout } from 'node:timers/promises';
import { AbortError } from '../base/abort';
import type { Clock } from '../engine';

/** A timer of Node that is set to more than this is over at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The machine's clock. */
export function nodeClock(): Clock {
  return {
    now: () => Date.now(),
    async sleep(ms, signal) {
      try {
        let left = ms;
        do await setTimeout(Math.min(left, LONGEST_MS), undefined, { signal });
        while ((left -= LONGEST_MS) > 0);
      } catch (error) {
        throw signal.aborted ? new AbortError() : error;
      }
    },
  };
}
