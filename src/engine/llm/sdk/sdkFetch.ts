import type { Fetch } from '../../ports';
import { wholeEvents } from './wholeEvents';

const LONGEST_WAIT_SECONDS = 60;

const lastHeard = new WeakMap<Response, number>();

/** When the last byte of an answer came that `sdkFetch` gave, in milliseconds since the epoch. */
export function heardAt(response: Response): number {
  return lastHeard.get(response) ?? 0;
}

/**
 * `fetch`, except that an answer asking for more than a minute of patience is not asked again by the SDK, and that a stream
 * comes in whole events.
 */
export function sdkFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { status, statusText, body } = response;
    if (response.ok) return body ? inWholeEvents(response, body) : response;
    if (!(secondsToWait(response.headers.get('retry-after')) > LONGEST_WAIT_SECONDS)) return response;
    const headers = new Headers(response.headers);
    headers.set('x-should-retry', 'false');
    return new Response(body, { status, statusText, headers });
  };
}

/** The same answer: a new one would load the built-in fetch where another is used. */
function inWholeEvents(response: Response, body: ReadableStream<Uint8Array>): Response {
  const heard = () => lastHeard.set(response, Date.now());
  let events: ReadableStream<Uint8Array> | undefined;
  // Not before it is asked for, since what is read as a whole is not read here.
  Object.defineProperty(response, 'body', { get: () => (events ??= wholeEvents(body, heard)) });
  heard();
  return response;
}

/** Of a retry-after header in either of its forms; NaN when there is none. */
function secondsToWait(header: string | null): number {
  if (header === null) return NaN;
  const seconds = Number(header);
  return Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1000 : seconds;
}
