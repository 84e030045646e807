import { errorCode } from '../fileError';
import { type Proxy, ProxyError } from './proxyFor';

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
