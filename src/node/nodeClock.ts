import { AbortError } from '../base/abort';
import type { Clock } from '../engine';

/** Node takes a longer wait, of some 25 days, for none at all. */
const LONGEST_MS = 2 ** 31 - 1;

/** The machine's clock. */
export function nodeClock(): Clock {
  return {
    now: () => Date.now(),
    async sleep(ms, signal) {
      for (let left = ms; left > 0 || left === ms; left -= LONGEST_MS) {
        await wait(Math.min(left, LONGEST_MS), signal);
      }
    },
  };
}

/** One for all: each of its own would look for its stack, and nearly every wait is ended before its time. */
const STOPPED = new AbortError();

/** As Node's own, which makes two errors of each end before its time, and every call of a tool has such a wait. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(STOPPED);
    const stop = () => {
      clearTimeout(timer);
      reject(STOPPED);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
