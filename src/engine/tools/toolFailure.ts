/** A call that could not be done, in words for the model that will read them: what happened and what to do next. */
export class ToolFailure extends Error {
  constructor(
    readonly kind: 'unknown-tool' | 'bad-arguments' | 'failed',
    message: string,
    /** It was not run, as the same call had come to the same before. */
    readonly isRepeated = false,
  ) {
    super(message);
    this.name = 'ToolFailure';
  }
}
