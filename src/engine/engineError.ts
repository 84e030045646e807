/** The reason for an EngineError, set where the error originates. */
export type EngineErrorReason =
  | 'not-found'
  | 'exists'
  | 'denied'
  | 'is-directory'
  | 'not-directory'
  | 'invalid-input'
  | 'invalid-state'
  | 'no-key'
  | 'middleware'
  | 'context-strategy'
  | 'damaged'
  | 'io';

/** An expected failure with a sentence for the user: what happened, where, what to do next. */
export class EngineError extends Error {
  constructor(
    readonly reason: EngineErrorReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'EngineError';
  }

  static is(error: unknown, reason?: EngineErrorReason): error is EngineError {
    return error instanceof EngineError && (reason === undefined || error.reason === reason);
  }
}
