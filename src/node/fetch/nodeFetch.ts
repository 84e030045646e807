import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { AbortError } from '../../base/abort';
import type { Wish } from './askProxy';
import { PlainHeaders } from './plainHeaders';
import { PlainResponse } from './plainResponse';
import { type Environment, type Proxy, proxyFor, proxyVariables } from './proxyFor';
import { proxyRefusal, proxyUnreached } from './proxyTrouble';

const MAX_REDIRECTS = 5;

type NodeFetch = (input: string | URL | Request, init?: RequestInit) => Promise<PlainResponse>;

/**
 * `fetch` over node:http and node:https, for a short-lived program: the built-in one costs some 100 ms and 30 MB at its first
 * use. Takes text and bytes as body, follows redirects that keep the method, asks for no compression, and goes through the
 * proxy that the environment names, which is read only now. Rejects as fetch does: AbortError when aborted, else a TypeError
 * with the system's error, or a ProxyError, as its cause.
 */
export function nodeFetch(env: Environment): NodeFetch {
  const variables = proxyVariables(env);
  return (input, init = {}) => follow(input, init, variables);
}

async function follow(input: Parameters<NodeFetch>[0], init: RequestInit, variables: Environment) {
  let url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url);
  for (let redirects = 0; ; redirects++) {
    const incoming = await send(url, init, proxyOf(url, variables));
    const { statusCode = 0, headers } = incoming;
    const isRedirect = statusCode === 307 || statusCode === 308;
    if (!isRedirect || headers.location === undefined || redirects >= MAX_REDIRECTS) {
      return new PlainResponse(incoming, url.href, redirects > 0);
    }
    incoming.resume();
    const next = new URL(headers.location, url);
    // A key belongs to the host that it was sent to.
    if (next.origin !== url.origin) return new PlainResponse(incoming, url.href, redirects > 0);
    url = next;
  }
}

async function send(
  url: URL,
  { method = 'GET', headers, body, signal }: RequestInit,
  proxy: Proxy | undefined,
): Promise<IncomingMessage> {
  if (body !== undefined && body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('Only text and bytes can be sent.');
  }
  const given = Object.fromEntries(headers instanceof PlainHeaders ? headers : new PlainHeaders(headers));
  const length = body ? { 'content-length': Buffer.byteLength(body) } : undefined;
  const start = await starter(url, proxy);
  if (signal?.aborted) throw new AbortError();
  const outgoing = start({ method, headers: { ...given, ...length } }, signal ?? undefined);
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(signal?.aborted ? new AbortError() : failure(error));
    const stop = () => void outgoing.destroy(new AbortError());
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
  return (wish) => start(url, wish);
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
