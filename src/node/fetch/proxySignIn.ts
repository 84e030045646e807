/** What a person is told whose proxy answers with 407. `where`: what comes between "its address" and the address to write. */
export function proxySignIn(proxy: URL, target: URL, where: string): string {
  const wants =
    proxy.username === '' ? 'requires a user name and a password' : 'refused the user name and the password';
  const address = `${proxy.protocol}//name:password@${proxy.host}`;
  return `${proxyName(proxy, target)} ${wants} (407). Write them into its address${where}${address}`;
}

/** A proxy on the way to an address, for a sentence: without its password. */
export function proxyName({ protocol, host }: URL, target: URL): string {
  return `The proxy ${protocol}//${host} on the way to ${target.origin}`;
}
