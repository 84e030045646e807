import type { CommandName } from '../contributionPoints';
import type { Host } from '../host';
import type { Command } from './command';

/** A command whose code is loaded when it is first used. */
export function loadedLater(name: CommandName, load: () => Promise<(host: Host) => Command>): (host: Host) => Command {
  return (host) => ({
    name,
    async run(...given) {
      await (await load())(host).run(...given);
    },
  });
}
