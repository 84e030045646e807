/** A proxy that is not there, or that lets nobody through. The message is a sentence for a person, with what to do. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';

  constructor(
    readonly sentence: string,
    /** What the proxy answered with; undefined when it did not. */
    readonly status: number | undefined,
    options?: ErrorOptions,
  ) {
    super(sentence, options);
  }
}
