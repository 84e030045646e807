/** Thrown when work stops because its signal was aborted. Never logged as a failure. */
export class AbortError extends Error {
  constructor(message = 'Cancelled') {
    super(message);
    this.name = 'AbortError';
  }
}

/** Abort reason for a wait that is no longer needed. Aborting without a reason creates an error, with a stack, each time. */
export const NOT_NEEDED = 'not needed any more';

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AbortError();
}

/** Returns true for `AbortError` and for the errors that fetch and the SDKs throw when their signal aborts. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'APIUserAbortError');
}

/** Settles like `work`, but rejects with AbortError as soon as the signal aborts; `work` itself is not stopped. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // Nothing awaits it any more, so a rejection must not count as unhandled.
    work.catch(() => undefined);
    return Promise.reject(new AbortError());
  }
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(new AbortError());
    const over = () => signal.removeEventListener('abort', stop);
    signal.addEventListener('abort', stop, { once: true });
    // Not with `finally`, which makes three promises for each of the many waits of a turn.
    work.then(over, over);
    work.then(resolve, reject);
  });
}
