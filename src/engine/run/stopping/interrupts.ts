import { AbortError } from '../../../base/abort';

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

export interface InterruptibleTurn {
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
