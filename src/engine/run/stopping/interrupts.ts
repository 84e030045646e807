import { AbortError } from '../../../base/abort';

/** Why a turn is aborted that is stopped while its run goes on. */
export class Interruption extends AbortError {
  constructor(readonly why: string | undefined) {
    super('Interrupted');
  }

  /** With its reason, as a model or a person is told: "Interrupted by the user while it ran: wrong branch". */
  text(when: string): string {
    const said = `Interrupted by the user${when}`;
    return this.why === undefined ? `${said}.` : `${said}: ${this.why}`;
  }
}

export interface InterruptibleTurn {
  /** Aborts when the turn is interrupted, and with the run. */
  readonly signal: AbortSignal;
  /** Gives what interrupted it; without that another turn may begin at once. */
  end(): Interruption | undefined;
}

/** Stops the turn of a run and not the run. */
export class Interrupts {
  /** Of the turn under way or about to begin; undefined while the run waits for a message. */
  private current: AbortController | undefined = new AbortController();
  private closed = false;

  get isClosed(): boolean {
    return this.closed;
  }

  /** What waits already is left as it is. */
  interrupt(why: string | undefined): void {
    this.current?.abort(new Interruption(why));
  }

  /** One turn at a time. */
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

  /** No turn follows, or none that can be stopped alone. */
  close(): void {
    this.closed = true;
  }
}
