import { AbortError } from '../../../base/abort';
import { Deferred } from '../../../base/deferred';
import type { Disposable } from '../../../base/disposable';
import { setAlarm } from '../../alarm';
import type { Clock } from '../../ports';
import { ToolFailure } from '../../tools/toolFailure';

/** So long a call that was stopped may take to end by itself; what it gives by then is told. */
const LET_GO_MS = 2000;

/** How a call is waited for. */
export interface CallWait {
  callId: string;
  /** Of the run. */
  signal: AbortSignal;
  clock: Clock;
  /** It is stopped then; absent: it may take as long as it wants. */
  timeoutMs?: number | undefined;
}

/** Which calls of a run a person may end alone, without ending the run. */
export class CallStops {
  private readonly running = new Map<string, (why: Error) => void>();
  /** Each ends a call with its run. */
  private readonly ends = new Set<() => void>();

  /**
   * Does `work` with a signal that aborts when the run ends, when just this call is stopped or when its time is up, and with
   * one that aborts only when the run ends. A call that was stopped or is late is let go, whether it listens or not: rejects
   * with AbortError, or with ToolFailure when it was late.
   */
  async during<T>(
    { callId, signal: run, clock, timeoutMs }: CallWait,
    work: (signal: AbortSignal, whole: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const own = new AbortController();
    const whole = new AbortController();
    const letGo = new Deferred<never>();
    let late: ToolFailure | undefined;
    const abort = () => own.abort();
    const alarms: Disposable[] = [];
    const later = (ms: number, then: () => void) => alarms.push(setAlarm(clock, ms, then));
    const stop = (why: Error) => {
      abort();
      later(LET_GO_MS, () => letGo.reject(why));
    };
    const end = () => {
      abort();
      whole.abort();
    };
    if (run.aborted) end();
    if (this.ends.size === 0) run.addEventListener('abort', this.endAll);
    this.ends.add(end);
    this.running.set(callId, stop);
    if (timeoutMs !== undefined && Number.isFinite(timeoutMs)) {
      later(timeoutMs, () => stop((late = lateFailure(timeoutMs))));
    }
    try {
      const done = await Promise.race([work(own.signal, whole.signal), letGo.promise]);
      if (late) throw late;
      return done;
    } catch (error) {
      throw late ?? error;
    } finally {
      for (const alarm of alarms) alarm.dispose();
      this.running.delete(callId);
      this.ends.delete(end);
      if (this.ends.size === 0) run.removeEventListener('abort', this.endAll);
    }
  }

  /** False when no such call runs. */
  stop(callId: string): boolean {
    const stop = this.running.get(callId);
    stop?.(new AbortError());
    return stop !== undefined;
  }

  /** One listener for all calls: Node warns of a leak when each of many calls in one reply has its own. */
  private readonly endAll = () => {
    for (const end of this.ends) end();
  };
}

function lateFailure(timeoutMs: number): ToolFailure {
  const text = `It did not end within ${timeoutMs / 1000} s and was stopped; it may have had an effect. Look before doing it again.`;
  return new ToolFailure('failed', text);
}
