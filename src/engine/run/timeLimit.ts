import { AbortError } from '../../base/abort';
import type { Disposable } from '../../base/disposable';
import type { RunOutcome } from '../events/runOutcome';
import type { Clock } from '../ports';

/** Why a run is aborted when its time is up, whatever it is waiting for. */
class OutOfTime extends AbortError {
  constructor() {
    super('The run reached its time limit');
  }
}

/** Aborts a run when its time is up, if it has a time limit. */
export class TimeLimit implements Disposable {
  private readonly over = new AbortController();
  private isSet = false;

  constructor(
    private readonly run: AbortController,
    private readonly clock: Clock,
  ) {}

  /** Starts the timer. Only the first limit counts. */
  set(timeMs: number | undefined): void {
    if (timeMs === undefined || this.isSet) return;
    this.isSet = true;
    this.clock.sleep(timeMs, this.over.signal).then(
      () => this.run.abort(new OutOfTime()),
      () => undefined,
    );
  }

  dispose(): void {
    this.over.abort();
  }
}

/** Turns a cancellation caused by the time limit into the outcome for that limit. */
export function outcomeInTime(outcome: RunOutcome, signal: AbortSignal): RunOutcome {
  const isLate = outcome.kind === 'cancelled' && signal.reason instanceof OutOfTime;
  return isLate ? { kind: 'limit-reached', limit: 'time' } : outcome;
}
