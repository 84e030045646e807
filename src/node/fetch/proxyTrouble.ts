import { errorCode } from '../errorCode';
import { type Proxy, ProxyError } from './proxyFor';
import { proxyName, proxySignIn } from './proxySignIn';

/** What a proxy refused, as a sentence without its password. */
export function proxyRefusal(proxy: Proxy, target: URL, status: number): ProxyError {
  if (status === 407) return new ProxyError(proxySignIn(proxy.url, target, `: ${proxy.variable}=`), status);
  const todo = `Ask whoever runs it, or name ${target.hostname} in NO_PROXY if no proxy is needed.`;
  return new ProxyError(`${proxyName(proxy.url, target)} rejected the request (${status}). ${todo}`, status);
}

/** A proxy that did not answer, as a sentence without its password. */
export function proxyUnreached(proxy: Proxy, target: URL, cause: Error): ProxyError {
  const why = errorCode(cause) ?? cause.message;
  const todo = `Check the environment variable ${proxy.variable}, or name ${target.hostname} in NO_PROXY if no proxy is needed.`;
  return new ProxyError(`${proxyName(proxy.url, target)} could not be reached (${why}). ${todo}`, undefined, { cause });
}
