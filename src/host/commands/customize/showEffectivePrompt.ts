import type { Host } from '../../host';
import type { Command } from '../command';

/** Opens what an agent is told and which tools it has, without running it. */
export function showEffectivePrompt({ engine }: Host): Command {
  return {
    run: async (argument) => (await import('../../customize/customizeParts')).showPrompt(engine, argument),
  };
}
