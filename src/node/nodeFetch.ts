import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { AbortError } from '../base/abort';

const MAX_REDIRECTS = 5;
/** Statuses whose response may not have a body. */
const EMPTY = new Set([101, 204, 205, 304]);

/**
 * `fetch` over node:http and node:https, for a short-lived program: the built-in one costs some 100 ms and 30 MB at its first
 * use. Takes text and bytes as body, follows redirects that keep the method, and asks for no compression. Rejects as fetch
 * does: AbortError when aborted, else a TypeError with the system's error as its cause.
 */
export async function nodeFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  let url = new URL(input instanceof Request ? input.url : input);
  for (let redirects = 0; ; redirects++) {
    const incoming = await send(url, init);
    const { statusCode = 0, headers } = incoming;
    const isRedirect = statusCode === 307 || statusCode === 308;
    if (!isRedirect || headers.location === undefined || redirects >= MAX_REDIRECTS) return responseOf(incoming);
    incoming.resume();
    const next = new URL(headers.location, url);
    // A key belongs to the host that it was sent to.
    if (next.origin !== url.origin) return responseOf(incoming);
    url = next;
  }
}

function send(url: URL, { method = 'GET', headers, body, signal }: RequestInit): Promise<IncomingMessage> {
  if (body !== undefined && body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    return Promise.reject(new TypeError('Only text and bytes can be sent.'));
  }
  if (signal?.aborted) return Promise.reject(new AbortError());
  return new Promise((resolve, reject) => {
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? undefined);
    const length = bytes && { 'content-length': String(bytes.length) };
    const outgoing = start(url, { method, headers: { ...Object.fromEntries(new Headers(headers)), ...length } });
    const stop = () => void outgoing.destroy(new AbortError());
    signal?.addEventListener('abort', stop, { once: true });
    outgoing.on('close', () => signal?.removeEventListener('abort', stop));
    outgoing.on('response', resolve);
    outgoing.on('error', (error) => {
      reject(error instanceof AbortError ? error : new TypeError('fetch failed', { cause: error }));
    });
    outgoing.end(bytes);
  });
}

function responseOf(incoming: IncomingMessage): Response {
  const headers = new Headers();
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
    headers.append(incoming.rawHeaders[at] ?? '', incoming.rawHeaders[at + 1] ?? '');
  }
  const status = incoming.statusCode ?? 200;
  const init = { status, statusText: incoming.statusMessage ?? '', headers };
  if (!EMPTY.has(status)) return new Response(webStream(incoming), init);
  incoming.resume();
  return new Response(null, init);
}

/** Node's own conversion, typed as the global `Response` wants it. */
function webStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const reader: AsyncIterator<Uint8Array> = incoming[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await reader.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        controller.error(error);
      }
    },
    cancel() {
      incoming.destroy();
    },
  });
}
