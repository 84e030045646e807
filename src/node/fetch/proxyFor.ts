import { BlockList, isIP } from 'node:net';
import { errorCode } from '../fileError';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy, and the environment variable that sets it. */
export interface Proxy {
  url: URL;
  variable: string;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

const NAMES = ['https_proxy', 'http_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]);

/** Copies the proxy variables from an environment. Each read of `process.env` is a system call. */
export function proxyVariables(env: Environment): Environment {
  return Object.fromEntries(NAMES.map((name) => [name, env[name]]));
}

/**
 * Returns the proxy for an address according to HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY; lower-case names take
 * precedence. Throws ProxyError if the variable is not usable.
 */
export function proxyFor(url: URL, env: Environment): Proxy | undefined {
  const scheme = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const variable = [scheme, scheme.toUpperCase(), 'all_proxy', 'ALL_PROXY'].find((name) => env[name]);
  const value = variable && env[variable];
  if (!value || goesDirectly(url, env['no_proxy'] ?? env['NO_PROXY'] ?? '')) return undefined;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy && DEFAULT_PORTS[proxy.protocol]) return { url: proxy, variable };
  throw new ProxyError(
    `The environment variable ${variable} is not a proxy that Cairn can use. Write it as http://host:port, or unset it.`,
    undefined,
  );
}

/** Returns true if the list contains the host, a parent domain, or a network that includes it. */
function goesDirectly(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port || DEFAULT_PORTS[url.protocol];
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '') return false;
      if (entry === '*' || entry === host) return true;
      if (entry.includes('/')) return isInNetwork(host, entry);
      const [, name = entry, onPort = port] = /^(.*[^:]|\[.*\]):(\d+)$/.exec(entry) ?? [];
      const domain = name.replace(/^\[|\]$|^\*?\./g, '');
      const isBelow = host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
      return onPort === port && isBelow;
    });
}

/** `network` is in CIDR notation, such as 10.0.0.0/8. */
function isInNetwork(host: string, network: string): boolean {
  const [start = '', bits = ''] = network.split('/');
  const family = isIP(host);
  const width = family === 4 ? 32 : 128;
  if (family === 0 || isIP(start) !== family || !/^\d+$/.test(bits) || Number(bits) > width) return false;
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(start, Number(bits), kind);
  return list.check(host, kind);
}

/** A proxy that cannot be reached or rejects requests. The message is a sentence for users that says what to do. */
class ProxyError extends Error {
  override readonly name = 'ProxyError';

  constructor(
    readonly sentence: string,
    /** The proxy's response status; undefined if it did not respond. */
    readonly status: number | undefined,
    options?: ErrorOptions,
  ) {
    super(sentence, options);
  }
}

/** Builds the error for a proxy's rejection, as a sentence without the proxy's password. */
export function proxyRefusal(proxy: Proxy, target: URL, status: number): ProxyError {
  if (status === 407) return new ProxyError(proxySignIn(proxy.url, target, `: ${proxy.variable}=`), status);
  const todo = `Ask whoever runs it, or name ${target.hostname} in NO_PROXY if no proxy is needed.`;
  return new ProxyError(`${proxyName(proxy.url, target)} rejected the request (${status}). ${todo}`, status);
}

/** Builds the error for a proxy that did not respond, as a sentence without its password. */
export function proxyUnreached(proxy: Proxy, target: URL, cause: Error): ProxyError {
  const why = errorCode(cause) ?? cause.message;
  const todo = `Check the environment variable ${proxy.variable}, or name ${target.hostname} in NO_PROXY if no proxy is needed.`;
  return new ProxyError(`${proxyName(proxy.url, target)} could not be reached (${why}). ${todo}`, undefined, { cause });
}

/** Builds the message for a 407 from a proxy. `where` goes between "its address" and the address to write. */
export function proxySignIn(proxy: URL, target: URL, where: string): string {
  const wants =
    proxy.username === '' ? 'requires a user name and a password' : 'refused the user name and the password';
  const address = `${proxy.protocol}//name:password@${proxy.host}`;
  return `${proxyName(proxy, target)} ${wants} (407). Write them into its address${where}${address}`;
}

/** Describes the proxy for an address in a sentence, without its password. */
function proxyName({ protocol, host }: URL, target: URL): string {
  return `The proxy ${protocol}//${host} on the way to ${target.origin}`;
}
