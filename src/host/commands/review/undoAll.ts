import type { Host } from '../../host';
import { undoTurn } from '../../review/undoTurn';
import type { Command } from '../command';
import { reviewedFiles } from './reviewedFiles';

/** Undoes all changes of a turn, or all there are, that were made without asking. */
export function undoAll({ ledger }: Host): Command {
  return {
    async run(argument) {
      const { files, runId } = reviewedFiles(ledger, argument);
      if (runId === undefined) for (const { path } of files) await ledger.undo(path);
      else await undoTurn(ledger, files, runId);
    },
  };
}
