import type { Host } from '../../host';
import type { Command } from '../command';
import { reviewedFile } from './reviewedFiles';

/** Undoes all changes of a file that were made without asking. */
export function undoFile({ ledger }: Host): Command {
  return {
    async run(argument) {
      await ledger.undo(reviewedFile(ledger, argument).path);
    },
  };
}
