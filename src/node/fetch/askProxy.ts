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
import type { Proxy } from './proxyFor';
import { proxyRefusal, proxyUnreached } from './proxyTrouble';

/** What a request consists of, but for its address. */
export interface Wish {
  method: string;
  headers: Readonly<Record<string, string>>;
}

/** Node hands a request's options to its agent, but for the signal: hence under another name. */
interface TunnelOptions {
  giveUp?: AbortSignal | undefined;
}

type Connected = (error: Error | null, socket?: Socket) => void;

/** Of our own: the global ones may send what is for a proxy through that proxy. */
const plainAgent = new PlainAgent({ keepAlive: true });
const safeAgent = new Agent({ keepAlive: true });
const tunnels = new Map<string, Agent>();

/**
 * A request through a proxy: for https through a tunnel, which stays open for the next one, else with the whole address. Its
 * errors are ProxyErrors when no tunnel came about. `giveUp` ends also the wait for one.
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

/** Keeps connections to hosts through one proxy. */
function tunnelAgent(proxy: Proxy): Agent {
  // Node asks for a connection here when none is free; its types know only one that is there at once.
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
