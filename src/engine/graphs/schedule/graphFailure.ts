/** Why a run of a graph cannot go on, in a sentence for people. */
export class GraphFailure extends Error {
  constructor(
    message: string,
    /** The node that it happened in. */
    readonly node?: string,
    options?: ErrorOptions,
  ) {
    super(node === undefined ? message : `The node “${node}” failed: ${message}`, options);
    this.name = 'GraphFailure';
  }
}
