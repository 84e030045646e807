import { setTimeout } from 'node:timers/promises';
import { AbortError } from '../base/abort';
import type { Clock } from '../engine';

/** The machine's clock. */
export function nodeClock(): Clock {
  return {
    now: () => Date.now(),
    async sleep(ms, signal) {
      try {
        await setTimeout(ms, undefined, { signal });
      } catch (error) {
        throw signal.aborted ? new AbortError() : error;
      }
    },
  };
}
