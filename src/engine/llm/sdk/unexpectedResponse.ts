/** What answered is no model: a web page, or data of another kind. `message` names what came. */
export class UnexpectedResponse extends Error {
  constructor(
    what: string,
    readonly status?: number,
  ) {
    super(what);
    this.name = 'UnexpectedResponse';
  }
}

/** An error that a vendor reports inside a stream, where the SDK passes it on as data; read by `sdkError`. */
export class VendorError extends Error {
  constructor(readonly error: { message: string; code: string | undefined }) {
    super(error.message);
    this.name = 'VendorError';
  }
}

/** A stream from which nothing came for so long that nothing is expected any more. */
export class StalledStream extends Error {
  constructor(readonly seconds: number) {
    super(`Nothing came for ${seconds} seconds.`);
    this.name = 'StalledStream';
  }
}

/** Throws UnexpectedResponse for a page that a proxy, a sign-in or a wrong address sent with a good status. */
export function refuseWebPage(response: Response): void {
  if (response.headers.get('content-type')?.includes('text/html')) {
    throw new UnexpectedResponse('a web page', response.status);
  }
}
