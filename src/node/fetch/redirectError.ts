/** A request with a body that was sent elsewhere by an answer which would lose the body. The message is for a person. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError';
  readonly sentence: string;

  constructor(
    from: URL,
    to: URL,
    readonly status: number,
  ) {
    const sentence =
      `${shown(from)} sends requests on to ${shown(to)} (${status}), and one with a body is not sent on that way. ` +
      'If you trust that address, set it as the base URL.';
    super(sentence);
    this.sentence = sentence;
  }
}

/** Without credentials and query. */
function shown({ origin, pathname }: URL): string {
  const address = `${origin}${pathname}`;
  return address.length > 300 ? `${address.slice(0, 300)}…` : address;
}
