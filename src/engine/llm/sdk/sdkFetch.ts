import type { Fetch } from '../../ports';
import { wholeEvents } from './wholeEvents';

const LONGEST_WAIT_SECONDS = 60;

const lastHeard = new WeakMap<Response, number>();

/** Returns when the last byte of a response from `sdkFetch` arrived, in milliseconds since the epoch; 0 if unknown. */
export function heardAt(response: Response): number {
  return lastHeard.get(response) ?? 0;
}

/**
 * Wraps `fetch` so that the SDK does not retry a response that asks for a wait of more than a minute, and so that streams are
 * delivered in whole events.
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

/** Changes the response in place, because creating a new one would load the built-in fetch where another is used. */
function inWholeEvents(response: Response, body: ReadableStream<Uint8Array>): Response {
  const heard = () => lastHeard.set(response, Date.now());
  let events: ReadableStream<Uint8Array> | undefined;
  // Created on first access, because bodies that are read whole do not go through here.
  Object.defineProperty(response, 'body', { get: () => (events ??= wholeEvents(body, heard)) });
  heard();
  return response;
}

/** Parses a Retry-After header in either form. NaN if there is none. */
function secondsToWait(header: string | null): number {
  if (header === null) return NaN;
  const seconds = Number(header);
  return Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1000 : seconds;
}
