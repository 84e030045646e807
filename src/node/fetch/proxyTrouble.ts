import { errorCode } from '../errorCode';
import { ProxyError } from './proxyError';
import type { Proxy } from './proxyFor';

/** What a proxy refused, as a sentence without its password. */
export function proxyRefusal(proxy: Proxy, target: URL, status: number): ProxyError {
  const { url, variable } = proxy;
  const who = nameOf(proxy, target);
  if (status !== 407) {
    const todo = `Ask whoever runs it, or name ${target.hostname} in NO_PROXY if no proxy is needed.`;
    return new ProxyError(`${who} does not let the request through (${status}). ${todo}`, status);
  }
  const wants = url.username === '' ? 'wants a user name and a password' : 'refused the user name and the password';
  const todo = `Write them into its address: ${variable}=${url.protocol}//name:password@${url.host}`;
  return new ProxyError(`${who} ${wants} (407). ${todo}`, status);
}

/** A proxy that did not answer, as a sentence without its password. */
export function proxyUnreached(proxy: Proxy, target: URL, cause: Error): ProxyError {
  const why = errorCode(cause) ?? cause.message;
  const todo = `Check the environment variable ${proxy.variable}, or name ${target.hostname} in NO_PROXY if no proxy is needed.`;
  return new ProxyError(`${nameOf(proxy, target)} could not be reached (${why}). ${todo}`, undefined, { cause });
}

function nameOf({ url }: Proxy, target: URL): string {
  return `The proxy ${url.protocol}//${url.host} on the way to ${target.origin}`;
}
