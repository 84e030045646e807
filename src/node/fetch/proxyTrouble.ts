import { errorCode } from '../errorCode';
import { ProxyError } from './proxyError';
import type { Proxy } from './proxyFor';

/** What a proxy refused, as a sentence without its password. */
export function proxyRefusal({ url, variable }: Proxy, target: URL, status: number): ProxyError {
  const who = `The proxy ${url.protocol}//${url.host} on the way to ${target.origin}`;
  if (status !== 407) {
    const todo = `Ask whoever runs it, or name ${target.hostname} in NO_PROXY if no proxy is needed.`;
    return new ProxyError(`${who} does not let the request through (${status}). ${todo}`, status);
  }
  const wants = url.username === '' ? 'wants a user name and a password' : 'refused the user name and the password';
  const todo = `Write them into its address: ${variable}=${url.protocol}//name:password@${url.host}`;
  return new ProxyError(`${who} ${wants} (407). ${todo}`, status);
}

/** A proxy that did not answer, as a sentence without its password. */
export function proxyUnreached({ url, variable }: Proxy, target: URL, cause: Error): ProxyError {
  const why = errorCode(cause) ?? cause.message;
  const todo = `Check the environment variable ${variable}, or name ${target.hostname} in NO_PROXY if no proxy is needed.`;
  const who = `The proxy ${url.protocol}//${url.host} on the way to ${target.origin}`;
  return new ProxyError(`${who} could not be reached (${why}). ${todo}`, undefined, { cause });
}
