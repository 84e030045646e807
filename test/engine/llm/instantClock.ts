import { throwIfAborted } from '../../../src/base/abort';
import type { Clock } from '../../../src/engine/ports';

/** A clock that never waits and records how long it should have. */
export function instantClock(): Clock & { waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => waits.reduce((sum, ms) => sum + ms, 0),
    async sleep(ms, signal) {
      await Promise.resolve();
      throwIfAborted(signal);
      waits.push(ms);
    },
  };
}
