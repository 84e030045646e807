import { setTimeout } from 'node:timers/promises';
import { AbortError } from '../base/abort';
import type { Clock } from '../engine';

/** Node takes a longer wait, of some 25 days, for none at all. */
const LONGEST_MS = 2 ** 31 - 1;

/** The machine's clock. */
export function nodeClock(): Clock {
  return {
    now: () => Date.now(),
    async sleep(ms, signal) {
      try {
        for (let left = ms; left > 0 || left === ms; left -= LONGEST_MS) {
          await setTimeout(Math.min(left, LONGEST_MS), undefined, { signal });
        }
      } catch (error) {
        throw signal.aborted ? new AbortError() : error;
      }
    },
  };
}
