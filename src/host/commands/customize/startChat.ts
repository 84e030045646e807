import type { Host } from '../../host';
import type { Command } from '../command';

/** Opens a new session that an agent answers in. */
export function startChat(host: Host): Command {
  return {
    run: async (argument) => (await import('../../customize/customizeParts')).chatWith(host, argument),
  };
}
