import type { Host } from '../../host';
import type { Command } from '../command';
import { reviewedFiles } from './reviewedFiles';

/** Undoes all changes of a turn, or all there are, that were made without asking. */
export function undoAll({ ledger }: Host): Command {
  return {
    name: 'undoAll',
    async run(argument) {
      for (const { path } of reviewedFiles(ledger, argument)) await ledger.undo(path);
    },
  };
}
