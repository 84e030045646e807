import { UnexpectedResponse } from './unexpectedResponse';

/** Throws UnexpectedResponse for a page that a proxy, a sign-in or a wrong address sent with a good status. */
export function refuseWebPage(response: Response): void {
  if (response.headers.get('content-type')?.includes('text/html')) {
    throw new UnexpectedResponse('a web page', response.status);
  }
}
