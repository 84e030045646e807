import type { Host } from '../../host';
import type { Command } from '../command';
import { hunkTarget } from './hunkTarget';

/** Undoes a change that was made without asking. */
export function undoHunk({ ledger }: Host): Command {
  return {
    async run(argument, ...more) {
      const target = hunkTarget(ledger, argument, more);
      if (target) await ledger.undo(target.path, target.keys);
    },
  };
}
