import { AbortError } from '../../base/abort';
import { type Disposable, onDispose } from '../../base/disposable';
import type { RunOutcome } from '../events/runOutcome';
import type { Clock } from '../ports';

/** Why a run is aborted when its time is up, whatever it waits for. */
class OutOfTime extends AbortError {
  constructor() {
    super('The time of the run is up');
  }
}

/** Aborts a run when its time is up. Without a limit it never does. */
export function limitTime(timeMs: number | undefined, run: AbortController, clock: Clock): Disposable {
  const over = new AbortController();
  if (timeMs !== undefined) {
    clock.sleep(timeMs, over.signal).then(
      () => run.abort(new OutOfTime()),
      () => undefined,
    );
  }
  return onDispose(() => over.abort());
}

/** The outcome of a run that nobody cancelled: its time was up. */
export function outcomeInTime(outcome: RunOutcome, signal: AbortSignal): RunOutcome {
  const isLate = outcome.kind === 'cancelled' && signal.reason instanceof OutOfTime;
  return isLate ? { kind: 'limit-reached', limit: 'time' } : outcome;
}
