/** A call that failed, with a message for the model: what happened and what to do next. */
export class ToolFailure extends Error {
  constructor(
    readonly kind: 'unknown-tool' | 'bad-arguments' | 'failed',
    message: string,
    /** True if the call was not run, because it only repeated earlier calls. */
    readonly isRepeated = false,
  ) {
    super(message);
    this.name = 'ToolFailure';
  }
}
