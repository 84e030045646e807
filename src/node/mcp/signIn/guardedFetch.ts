import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { EngineError, type Fetch } from '../../../engine';
import { isPrivateAddress } from '../../web/privateAddress';

/** Maximum size of a response about signing in. */
const MAX_BYTES = 1_000_000;
/** Shorter than the time others wait for the lock held while renewing a sign-in. */
const ANSWER_MS = 8000;

type SignInFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Resolves a host name. Rejects if it is unknown. */
type Resolve = (host: string) => Promise<readonly { address: string }[]>;

/**
 * Returns a fetch for requests about signing in. The server chooses the addresses, so each is checked: it must be encrypted, or
 * on this machine if the server is; it must not be in a private network, also not via DNS, unless it is the server's host.
 * Redirects are not followed, and responses are limited in size.
 */
export function guardedFetch(
  fetch: Fetch,
  server: URL,
  signal: AbortSignal,
  resolve: Resolve = (host) => lookup(host, { all: true }),
): SignInFetch {
  return async (address, init = {}) => {
    const url = new URL(address);
    mustBeSafe(url, server);
    await mustBeOutside(url, server, resolve);
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS), ...(init.signal ? [init.signal] : [])]);
    // The command line's fetch accepts only text and bytes.
    const body = init.body instanceof URLSearchParams ? { body: init.body.toString() } : {};
    const response = await fetch(url, { ...init, ...body, redirect: 'manual', signal: inTime });
    return new Response(await shortBody(response, url), {
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers],
    });
  };
}

/** Throws EngineError `denied` if others could read what is sent to `url`, or if a remote server points into the private network. */
export function mustBeSafe(url: URL, server: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isHere = isLoopback(url) && isLoopback(server);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere)) {
    throw new EngineError('denied', `${server.host} wants to sign you in at ${url.origin}, which is not encrypted.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new EngineError('denied', `${server.host} wants to sign you in at an address that contains a password.`);
  }
  const isInside = host === 'localhost' || (isIP(host) !== 0 && isPrivateAddress(host));
  if (isInside && !isHere && url.hostname !== server.hostname) {
    throw new EngineError(
      'denied',
      `${server.host} wants to sign you in at ${url.host}, which is not on the internet.`,
    );
  }
}

/** Throws as `mustBeSafe` does. A name that only a proxy can resolve is left to the proxy. */
async function mustBeOutside({ hostname, host }: URL, server: URL, resolve: Resolve): Promise<void> {
  if (hostname === server.hostname || hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return;
  const found = await resolve(hostname).catch(() => []);
  if (!found.some(({ address }) => isPrivateAddress(address))) return;
  throw new EngineError('denied', `${server.host} wants to sign you in at ${host}, which is not on the internet.`);
}

export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

async function shortBody(response: Response, { host }: URL): Promise<string | null> {
  if (response.body === null || [204, 205, 304].includes(response.status)) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: ReadableStream<Uint8Array> = response.body;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks).toString('utf8');
    chunks.push(value);
    size += value.length;
    if (size <= MAX_BYTES) continue;
    await reader.cancel();
    throw new EngineError('io', `${host} sent sign-in metadata that is too long.`);
  }
}
