import { AbortError, throwIfAborted } from '../../base/abort';
import { EngineError, type Web, type WebRequest, type WebResponse } from '../../engine';
import { errorCode } from '../fileError';

const MAX_REDIRECTS = 5;

const REASONS = new Map([
  ['ENOTFOUND', 'there is no such host'],
  ['EAI_AGAIN', 'the name could not be looked up; check your network'],
  ['ECONNREFUSED', 'nothing is listening there'],
  ['ECONNRESET', 'the connection was cut'],
  ['ETIMEDOUT', 'the host does not answer'],
  ['ENETUNREACH', 'there is no network'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
]);

/**
 * Creates web access through Node. The Markdown conversion is loaded with the first page. `pageWorker` is the script of its
 * worker thread; without it pages are returned as plain text.
 */
export function nodeWeb(pageWorker?: string): Web {
  return {
    async get(request, signal) {
      throwIfAborted(signal);
      const late = AbortSignal.timeout(request.timeoutMs);
      try {
        return await follow(request, AbortSignal.any([signal, late]));
      } catch (error) {
        if (signal.aborted) throw new AbortError();
        if (EngineError.is(error)) throw error;
        const why = late.aborted
          ? `there was no complete response within ${Math.round(request.timeoutMs / 1000)} s`
          : (REASONS.get(errorCode(error) ?? '') ?? (error instanceof Error ? error.message : String(error)));
        throw new EngineError('io', `${request.url} could not be fetched: ${why}.`, { cause: error });
      }
    },
    async toMarkdown(html, url, signal) {
      const { markdownOf } = await import('./markdownOf');
      return markdownOf({ html, url, worker: pageWorker }, signal);
    },
    async itemsIn(text, query, signal) {
      const { itemsIn } = await import('./markdownOf');
      return itemsIn({ text, query, worker: pageWorker }, signal);
    },
  };
}

async function follow(request: WebRequest, signal: AbortSignal): Promise<WebResponse> {
  const { url, maxBytes, headers = {}, body } = request;
  const { fetchHop } = await import('./fetchHop');
  let at = parsed(url);
  const { origin } = at;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const limits = { allowsPrivate: await request.allowsPrivate(at.hostname), maxBytes };
    const sent = { ...(at.origin === origin && { headers }), ...(body !== undefined && { body }) };
    const { location, ...answer } = await fetchHop(at, { ...limits, ...sent }, signal);
    if (location === null) return { url: at.href, ...answer };
    if (body !== undefined)
      throw new EngineError('io', `${url} redirects a request that has a body, so it was given up.`);
    at = parsed(location, at);
    await request.onRedirect?.(at.href);
  }
  throw new EngineError('io', `${url} redirects more than ${MAX_REDIRECTS} times, so it was given up.`);
}

function parsed(url: string, base?: URL): URL {
  const found = URL.canParse(url, base?.href) ? new URL(url, base) : null;
  if (!found)
    throw new EngineError(
      'invalid-input',
      `${url} is not an address. Use a full one, such as https://example.org/page.`,
    );
  if (found.protocol === 'http:' || found.protocol === 'https:') return found;
  throw new EngineError('invalid-input', `${url} is not an http or https address, the only kinds that are fetched.`);
}
