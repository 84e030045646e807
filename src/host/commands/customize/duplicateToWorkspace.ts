import type { Host } from '../../host';
import type { Command } from '../command';

/** Copies an agent, a skill or a role into the workspace, where it can be changed and wins. */
export function duplicateToWorkspace({ engine }: Host): Command {
  return {
    async run(argument) {
      const { duplicate } = await import('../../customize/customizeParts');
      await duplicate(engine, argument);
    },
  };
}
