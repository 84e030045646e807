import { setImmediate as nextTurn } from 'node:timers/promises';

/** The time of day, which also passes when a test moves it. */
export interface MovableClock {
  /** Moves the time of this process, until `end`. */
  begin(): void;
  end(): void;
  /** How far it was moved since it began, in milliseconds. */
  readonly moved: number;
  /** Ends only when the clock is moved past it. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  forward(ms: number): void;
  /** Moves the clock forward again and again until the work is done. */
  hurried<T>(work: Promise<T>): Promise<T>;
}

const STEP_MS = 10_000;

export function movableClock(): MovableClock {
  const now = Date.now;
  let moved = 0;
  const sleepers = new Set<{ left: number; wake: () => void }>();
  const forward = (ms: number) => {
    moved += ms;
    for (const one of [...sleepers]) if ((one.left -= ms) <= 0) one.wake();
  };
  return {
    begin() {
      moved = 0;
      Date.now = () => now() + moved;
    },
    end: () => void (Date.now = now),
    get moved() {
      return moved;
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { left: ms, wake: () => settle(resolve) };
        const settle = (by: () => void) => {
          sleepers.delete(sleeper);
          signal.removeEventListener('abort', stop);
          by();
        };
        const stop = () => settle(() => reject(new DOMException('Cancelled', 'AbortError')));
        if (signal.aborted) return stop();
        signal.addEventListener('abort', stop);
        sleepers.add(sleeper);
      }),
    forward,
    async hurried(work) {
      const state = { isOver: false };
      const over = () => (state.isOver = true);
      work.then(over, over);
      while (!state.isOver) {
        forward(STEP_MS);
        await nextTurn();
      }
      return work;
    },
  };
}
