/** A proxy on the way to an address, for a sentence: without its password. */
export function proxyName({ protocol, host }: URL, target: URL): string {
  return `The proxy ${protocol}//${host} on the way to ${target.origin}`;
}
