/** Which calls of a run a person may end alone, without ending the run. */
export class CallStops {
  private readonly running = new Map<string, AbortController>();

  /** Does `work` with a signal that aborts when the run ends or when just this call is stopped. */
  async during<T>(callId: string, run: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const own = new AbortController();
    const stop = () => own.abort();
    if (run.aborted) stop();
    run.addEventListener('abort', stop, { once: true });
    this.running.set(callId, own);
    try {
      return await work(own.signal);
    } finally {
      this.running.delete(callId);
      run.removeEventListener('abort', stop);
    }
  }

  /** False when no such call runs. */
  stop(callId: string): boolean {
    const own = this.running.get(callId);
    own?.abort();
    return own !== undefined;
  }
}
