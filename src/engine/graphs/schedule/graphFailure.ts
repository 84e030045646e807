/** Why a graph run cannot continue; the message is a sentence for people. */
export class GraphFailure extends Error {
  constructor(
    message: string,
    /** The node in which it occurred. */
    readonly node?: string,
    options?: ErrorOptions,
  ) {
    super(node === undefined ? message : `The node “${node}” failed: ${message}`, options);
    this.name = 'GraphFailure';
  }
}
