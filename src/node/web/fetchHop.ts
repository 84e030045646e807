import { lookup as resolve } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { EngineError } from '../../engine';
import { unpacked } from '../fetch/unpacked';
import { isPrivateAddress } from './privateAddress';

interface HopAnswer {
  status: number;
  contentType: string;
  /** The redirect target as sent; null for other responses. */
  location: string | null;
  body: Uint8Array;
}

const HEADERS = {
  'user-agent': 'Cairn',
  accept: 'text/html,text/markdown,text/plain,application/json;q=0.9,*/*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
};

interface Hop {
  allowsPrivate: boolean;
  maxBytes: number;
  headers?: Readonly<Record<string, string>>;
  /** Sent as a POST. */
  body?: string;
}

/** Sends one request without following redirects. The body of a redirect is not read. */
export async function fetchHop(url: URL, hop: Hop, signal: AbortSignal): Promise<HopAnswer> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // Literal addresses bypass the lookup.
  if (!hop.allowsPrivate && isIP(host) !== 0 && isPrivateAddress(host)) throw privateHost(host, host);
  const response = await open(url, hop, signal);
  const status = response.statusCode ?? 0;
  const contentType = response.headers['content-type'] ?? '';
  const { location } = response.headers;
  if (status >= 300 && status < 400 && location !== undefined) {
    response.destroy();
    return { status, contentType, location, body: new Uint8Array() };
  }
  return { status, contentType, location: null, body: await bodyOf(response, hop.maxBytes, signal) };
}

function open(url: URL, { allowsPrivate, headers, body }: Hop, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // No agent: a connection opened under another rule must never be reused.
    const options = { lookup: guardedLookup(allowsPrivate), agent: false as const, signal };
    const posted = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = { method: body === undefined ? 'GET' : 'POST', headers: { ...HEADERS, ...posted, ...headers } };
    request(url, { ...options, ...sent }, resolve)
      .on('error', reject)
      .end(body);
  });
}

async function bodyOf(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  await pipeline(
    unpacked(response, response.headers['content-encoding'] ?? ''),
    async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) {
        size += chunk.length;
        // Counted after decompression, because a small response may expand to a huge page.
        if (size > maxBytes) {
          throw new EngineError(
            'io',
            `The response is larger than the limit of ${Math.round(maxBytes / 1_000_000)} MB.`,
          );
        }
        chunks.push(chunk);
      }
    },
    { signal },
  );
  return Buffer.concat(chunks);
}

/**
 * Resolves names while connecting and rejects private addresses there, so that the checked address is the one connected to, even
 * if DNS changes in between.
 */
function guardedLookup(allowsPrivate: boolean): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 4);
      const [first] = addresses;
      if (!first) return done(new Error(`No address for ${host}`), '', 4);
      const refused = allowsPrivate ? undefined : addresses.find(({ address }) => isPrivateAddress(address));
      if (refused) return done(privateHost(host, refused.address), '', 4);
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
}

/** Builds the error shown to models for an address they may not access. */
function privateHost(host: string, address: string): EngineError {
  const where = host === address ? host : `${host} (${address})`;
  return new EngineError(
    'denied',
    `${where} is a private or local address, and those are only fetched when a permission rule names the host. Use execute_command (curl), or ask the user for such a rule.`,
  );
}
