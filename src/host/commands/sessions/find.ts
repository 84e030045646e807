import type { Host } from '../../host';
import type { Command } from '../command';

/** Finds text in the chat shown, also in the parts of it that are not drawn. */
export function find({ panels }: Host): Command {
  return {
    run: () => panels.withPanel((controller) => controller.showPart('find')),
  };
}
