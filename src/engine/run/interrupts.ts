import { AbortError } from '../../base/abort';
import { Deferred } from '../../base/async';
import type { Disposable } from '../../base/disposable';
import { setAlarm } from '../alarm';
import type { Clock } from '../ports';
import { ToolFailure } from '../tools/toolOutput';

/** Why a turn was aborted while its run continues. */
export class Interruption extends AbortError {
  constructor(readonly why: string | undefined) {
    super('Interrupted');
  }

  /** Describes the interruption for a model or the user: "Interrupted by the user while it ran: wrong branch". */
  text(when: string): string {
    const said = `Interrupted by the user${when}`;
    return this.why === undefined ? `${said}.` : `${said}: ${this.why}`;
  }
}

interface InterruptibleTurn {
  /** Aborts when the turn is interrupted, or with the run. */
  readonly signal: AbortSignal;
  /** Returns the interruption, if any. Without one, another turn may begin at once. */
  end(): Interruption | undefined;
}

/** Stops a run's current turn without ending the run. */
export class Interrupts {
  /** For the turn in progress or about to begin; undefined while the run waits for a message. */
  private current: AbortController | undefined = new AbortController();
  private closed = false;

  get isClosed(): boolean {
    return this.closed;
  }

  /** Interrupts the current turn. No effect while the run is already waiting. */
  interrupt(why: string | undefined): void {
    this.current?.abort(new Interruption(why));
  }

  /** Begins a turn. Only one may be in progress. */
  begin(run: AbortSignal): InterruptibleTurn {
    const turn = (this.current ??= new AbortController());
    const { signal } = turn;
    const stop = () => turn.abort(run.reason);
    if (run.aborted) stop();
    else run.addEventListener('abort', stop, { once: true });
    return {
      signal,
      end: () => {
        run.removeEventListener('abort', stop);
        const why: unknown = signal.reason;
        const interruption = why instanceof Interruption && !run.aborted ? why : undefined;
        this.current = interruption ? undefined : new AbortController();
        return interruption;
      },
    };
  }

  /** Called when no turn follows, or none that can be stopped by itself. */
  close(): void {
    this.closed = true;
  }
}

/**
 * How long a stopped call may take to end by itself; what it returns by then is reported. Killing a command's processes takes up to
 * four seconds, and longer on a busy machine.
 */
const LET_GO_MS = 10_000;

/** How to wait for a call. */
interface CallWait {
  callId: string;
  /** The run's signal. */
  signal: AbortSignal;
  clock: Clock;
  /** The call is stopped after this time. Absent: no limit. */
  timeoutMs?: number | undefined;
}

/** Lets single calls of a run be stopped without ending the run. */
export class CallStops {
  private readonly running = new Map<string, (why: Error) => void>();
  /** Callbacks that end each call when the run ends. */
  private readonly ends = new Set<() => void>();

  /**
   * Runs `work` with two signals: one aborts when the run ends, this call is stopped, or its time is up; the other only when the
   * run ends. A call that was stopped or timed out is abandoned even if it ignores its signal: rejects with AbortError, or with
   * ToolFailure if it timed out.
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

  /** Returns false if no such call is running. */
  stop(callId: string): boolean {
    const stop = this.running.get(callId);
    stop?.(new AbortError());
    return stop !== undefined;
  }

  /** One listener for all calls: with one each, Node would warn of a leak when a reply has many. */
  private readonly endAll = () => {
    for (const end of this.ends) end();
  };
}

function lateFailure(timeoutMs: number): ToolFailure {
  const text = `It did not end within ${timeoutMs / 1000} s and was stopped; it may have had an effect. Look before doing it again.`;
  return new ToolFailure('failed', text);
}

/**
 * Why a run is aborted when the editor closes. No one canceled it, so what it waited for stays open in the session and can be
 * continued.
 */
export class ShutDown extends AbortError {
  constructor() {
    super('The editor is closing');
  }
}

export function isShutDown(signal: AbortSignal): boolean {
  return signal.reason instanceof ShutDown;
}
