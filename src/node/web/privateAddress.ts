import { BlockList, isIP } from 'node:net';

/** This machine, private and shared networks, link-local, documentation, benchmarking, multicast, reserved. */
const PRIVATE_4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]);

/** Global unicast. Everything else, now or in the future, is not the public internet. */
const GLOBAL_6 = blockList('ipv6', [['2000::', 3]]);
/** Exceptions within it: protocol assignments including Teredo, documentation, and 6to4, which embeds addresses of another network. */
const SPECIAL_6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/** Returns true for an IP address, in any notation, outside the public internet, and for anything that is not an IP address. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  if (family === 4) return PRIVATE_4.check(address, 'ipv4');
  // Normalized by URL parsing. The zone, which only local addresses have, is removed.
  const plain = new URL(`http://[${address.replace(/%[^]*$/, '')}]/`).hostname.slice(1, -1);
  const [, high, low] = MAPPED.exec(plain) ?? [];
  if (high !== undefined && low !== undefined) return isPrivateAddress(dotted(high, low));
  return !GLOBAL_6.check(plain, 'ipv6') || SPECIAL_6.check(plain, 'ipv6');
}

function dotted(high: string, low: string): string {
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

function blockList(
  family: 'ipv4' | 'ipv6',
  networks: readonly (readonly [network: string, bits: number])[],
): BlockList {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, family);
  return list;
}
