import { lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { EngineError } from '../../engine';
import { isPrivateAddress } from './privateAddress';

/**
 * Resolves names for a connection and refuses private addresses there, so that what was checked is what is connected to,
 * whatever the name means a moment later.
 */
export function guardedLookup(allowsPrivate: boolean): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 4);
      const [first] = addresses;
      if (!first) return done(new Error(`No address for ${host}`), '', 4);
      const refused = allowsPrivate ? undefined : addresses.find(({ address }) => isPrivateAddress(address));
      if (refused) return done(privateHost(host, refused.address), '', 4);
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
}

/** What a model is told of an address that it may not speak to. */
export function privateHost(host: string, address: string): EngineError {
  const where = host === address ? host : `${host} (${address})`;
  return new EngineError(
    'denied',
    `${where} is a private or local address, and those are only fetched when a permission rule names the host. Use execute_command (curl), or ask the person for such a rule.`,
  );
}
