import {
  Agent as PlainAgent,
  type ClientRequest,
  type OutgoingHttpHeaders,
  request,
  type RequestOptions,
} from 'node:http';
import { Agent, request as requestSafely } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';
import { type Proxy, proxyRefusal, proxyUnreached } from './proxyFor';

/** A request without its address. */
export interface Wish {
  method: string;
  headers: Readonly<Record<string, string>>;
}

/** Node passes a request's options to its agent, except for `signal`, hence the different name. */
interface TunnelOptions {
  giveUp?: AbortSignal | undefined;
}

type Connected = (error: Error | null, socket?: Socket) => void;

/** Separate agents, because the global ones may send requests to a proxy through that same proxy. */
const plainAgent = new PlainAgent({ keepAlive: true });
const safeAgent = new Agent({ keepAlive: true });
const tunnels = new Map<string, Agent>();

/**
 * Sends a request through a proxy: https uses a tunnel, which stays open for later requests; http sends the full address. If no
 * tunnel could be established, the error is a ProxyError. `giveUp` also aborts waiting for the tunnel.
 */
export function askProxy(proxy: Proxy, url: URL, wish: Wish, giveUp: AbortSignal | undefined): ClientRequest {
  const through: RequestOptions & TunnelOptions = { ...wish, agent: tunnelsOf(proxy), giveUp };
  if (url.protocol === 'https:') return requestSafely(url, through);
  const headers = { ...wish.headers, host: url.host, ...authorization(proxy) };
  return start(proxy, { method: wish.method, headers, path: `${url.origin}${url.pathname}${url.search}` });
}

function tunnelsOf(proxy: Proxy): Agent {
  const known = tunnels.get(proxy.url.href) ?? tunnelAgent(proxy);
  tunnels.set(proxy.url.href, known);
  return known;
}

function start({ url }: Proxy, options: RequestOptions): ClientRequest {
  const where = { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port || undefined };
  return url.protocol === 'https:'
    ? requestSafely({ agent: safeAgent, ...options, ...where })
    : request({ agent: plainAgent, ...options, ...where });
}

function authorization({ url }: Proxy): OutgoingHttpHeaders {
  if (url.username === '' && url.password === '') return {};
  const plain = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(plain).toString('base64')}` };
}

/** Creates an agent that keeps connections to hosts through one proxy. */
function tunnelAgent(proxy: Proxy): Agent {
  // Node calls this when no connection is free; its types only cover the synchronous variant.
  return Object.assign(new Agent({ keepAlive: true }), {
    createConnection({ giveUp, ...options }: ConnectionOptions & TunnelOptions, connected: Connected): void {
      const { host = '', port = 443 } = options;
      const name = isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
      const target = new URL(`https://${name}`);
      const headers = { host: name, ...authorization(proxy) };
      const wish: RequestOptions = { method: 'CONNECT', path: name, headers, agent: false };
      const asking = start(proxy, giveUp ? { ...wish, signal: giveUp } : wish);
      asking.once('connect', ({ statusCode = 0 }, socket: Socket) => {
        if (statusCode === 200) return connected(null, connect({ ...options, socket }));
        socket.destroy();
        connected(proxyRefusal(proxy, target, statusCode));
      });
      asking.once('error', (error) => connected(giveUp?.aborted ? error : proxyUnreached(proxy, target, error)));
      asking.end();
    },
  });
}
