import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';
import { AbortError } from '../../base/abort';
import { PlainHeaders } from '../../base/streams/plainHeaders';
import type { Wish } from './askProxy';
import { PlainResponse } from './plainResponse';
import { type Environment, type Proxy, proxyFor, proxyVariables } from './proxyFor';
import { proxyRefusal, proxyUnreached } from './proxyTrouble';

/** A request with a body that was sent elsewhere by an answer which would lose the body. The message is for a person. */
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
/** Those that keep method and body. */
const KEEPING: ReadonlySet<number> = new Set([307, 308]);
/** Statuses whose answer has no body. */
const EMPTY: ReadonlySet<number> = new Set([204, 304]);

type NodeFetch = (input: string | URL | Request, init?: RequestInit) => Promise<PlainResponse>;

/**
 * `fetch` over node:http and node:https, for a short-lived program: the built-in one costs some 100 ms and 30 MB at its first
 * use. Takes text and bytes as body, follows redirects on the same host, asks for no compression but unpacks it, and goes
 * through the proxy that the environment names, which is read only now. Rejects as fetch does: AbortError when aborted, else a
 * TypeError whose cause is the system's error, a ProxyError, or a RedirectError where a redirect would lose the body.
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
    // A key belongs to the host that it was sent to.
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

/** A server may pack its answer unasked; only then is what unpacks it loaded. */
async function bodyOf(incoming: IncomingMessage, method: string): Promise<Readable> {
  const { statusCode = 0, headers } = incoming;
  const encoding = headers['content-encoding'];
  if (!encoding || method === 'HEAD' || EMPTY.has(statusCode) || headers['content-length'] === '0') return incoming;
  // What comes or goes wrong before it is loaded waits in the answer.
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
      // Between its answer and its return to the agent nobody listens to the connection, and an unheard error ends the process.
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
      // Of https the agent knows which errors are the proxy's.
      fail(proxy && url.protocol === 'http:' ? proxyUnreached(proxy, url, error) : error);
    });
    outgoing.end(body ?? undefined);
  });
}

/** Loads only what this request needs, each of which takes its time. */
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

/** Names and values in turn: Node takes them as they are so, but neither adds the host nor who signs in. */
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

/** Without credentials and query. */
function shown({ origin, pathname }: URL): string {
  const address = `${origin}${pathname}`;
  return address.length > 300 ? `${address.slice(0, 300)}…` : address;
}
