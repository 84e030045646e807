import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';
import { AbortError } from '../../base/abort';
import { PlainHeaders } from '../../base/streams/plainHeaders';
import type { Wish } from './askProxy';
import { PlainResponse } from './plainResponse';
import { type Environment, type Proxy, proxyFor, proxyRefusal, proxyUnreached, proxyVariables } from './proxyFor';

/** A request with a body was redirected in a way that would drop the body. The message is for users. */
class RedirectError extends Error {
  override readonly name = 'RedirectError';
  readonly sentence: string;

  constructor(
    from: URL,
    to: URL,
    readonly status: number,
  ) {
    const sentence =
      `${shown(from)} redirects requests to ${shown(to)} (${status}), and requests with a body do not follow redirects. ` +
      'If you trust that address, set it as the base URL.';
    super(sentence);
    this.sentence = sentence;
  }
}

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Redirects that keep the method and body. */
const KEEPING: ReadonlySet<number> = new Set([307, 308]);
/** Statuses of responses without a body. */
const EMPTY: ReadonlySet<number> = new Set([204, 304]);

type NodeFetch = (input: string | URL | Request, init?: RequestInit) => Promise<PlainResponse>;

/**
 * Returns a `fetch` over node:http and node:https for short-lived programs: the built-in one costs about 100 ms and 30 MB on
 * first use. It accepts text and bytes as the body, follows redirects on the same host, does not ask for compression but
 * decompresses it, and uses the proxy from the environment, which is read only once, here. Rejects as fetch does: AbortError when
 * aborted, otherwise a TypeError whose cause is the system's error, a ProxyError, or a RedirectError if a redirect would drop the
 * body.
 */
export function nodeFetch(env: Environment): NodeFetch {
  const variables = proxyVariables(env);
  return (input, init = {}) => follow(input, init, variables);
}

async function follow(input: Parameters<NodeFetch>[0], init: RequestInit, variables: Environment) {
  let url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url);
  const method = init.method?.toUpperCase() ?? 'GET';
  for (let redirects = 0; ; redirects++) {
    const incoming = await send(url, init, proxyOf(url, variables));
    const { statusCode = 0, headers } = incoming;
    const next = REDIRECTS.has(statusCode) ? addressIn(headers.location, url) : undefined;
    if (next && !KEEPING.has(statusCode) && method !== 'GET' && method !== 'HEAD') {
      incoming.resume();
      throw failure(new RedirectError(url, next, statusCode));
    }
    // A key must stay with the host it was sent to.
    if (next?.origin !== url.origin || redirects >= MAX_REDIRECTS) {
      const body = await bodyOf(incoming, method);
      return new PlainResponse(incoming, { body, url: url.href, redirected: redirects > 0 });
    }
    incoming.resume();
    url = next;
  }
}

function addressIn(location: string | undefined, from: URL): URL | undefined {
  return location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

/** Decompresses the body. Servers may compress without being asked; the decompressor is loaded only then. */
async function bodyOf(incoming: IncomingMessage, method: string): Promise<Readable> {
  const { statusCode = 0, headers } = incoming;
  const encoding = headers['content-encoding'];
  if (!encoding || method === 'HEAD' || EMPTY.has(statusCode) || headers['content-length'] === '0') return incoming;
  // Data and errors that arrive during the import are buffered in the response.
  const { unpacked } = await import('./unpacked');
  return unpacked(incoming, encoding);
}

async function send(
  url: URL,
  { method = 'GET', headers, body, signal }: RequestInit,
  proxy: Proxy | undefined,
): Promise<IncomingMessage> {
  if (body !== undefined && body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('Only text and bytes can be sent.');
  }
  const given = headers instanceof PlainHeaders ? headers : new PlainHeaders(headers);
  const length = body ? { 'content-length': String(Buffer.byteLength(body)) } : undefined;
  const start = await starter(url, proxy);
  if (signal?.aborted) throw new AbortError();
  const outgoing = start({ method, headers: { ...given.toRecord(), ...length } }, signal ?? undefined);
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(signal?.aborted ? new AbortError() : failure(error));
    const stop = () => {
      // Between the response and the return to the agent nothing listens to the socket, and an unhandled error event would end
      // the process.
      outgoing.socket?.on('error', () => undefined);
      outgoing.destroy(new AbortError());
    };
    signal?.addEventListener('abort', stop, { once: true });
    outgoing.on('close', () => signal?.removeEventListener('abort', stop));
    outgoing.on('response', (incoming) => {
      if (!proxy || incoming.statusCode !== 407) return resolve(incoming);
      incoming.resume();
      fail(proxyRefusal(proxy, url, 407));
    });
    outgoing.on('error', (error) => {
      // For https, the agent already identifies the proxy's errors.
      fail(proxy && url.protocol === 'http:' ? proxyUnreached(proxy, url, error) : error);
    });
    outgoing.end(body ?? undefined);
  });
}

/** Loads only the modules this request needs, because each takes time. */
async function starter(
  url: URL,
  proxy: Proxy | undefined,
): Promise<(wish: Wish, signal?: AbortSignal) => ClientRequest> {
  if (proxy) {
    const { askProxy } = await import('./askProxy');
    return (wish, signal) => askProxy(proxy, url, wish, signal);
  }
  const start = url.protocol === 'https:' ? (await import('node:https')).request : request;
  return ({ method, headers }) =>
    start(url, { method, headers: url.username || url.password ? headers : inTurn(url, headers) });
}

/** Returns alternating names and values. Node sends such headers unchanged, adding neither a host nor authorization. */
function inTurn({ host }: URL, headers: Wish['headers']): string[] {
  return Object.entries({ host, ...headers }).flat();
}

function proxyOf(url: URL, variables: Environment): Proxy | undefined {
  try {
    return proxyFor(url, variables);
  } catch (error) {
    throw failure(error);
  }
}

function failure(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause });
}

/** Formats an address without credentials and query. */
function shown({ origin, pathname }: URL): string {
  const address = `${origin}${pathname}`;
  return address.length > 300 ? `${address.slice(0, 300)}…` : address;
}
