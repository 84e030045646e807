import type { Host } from '../../host';
import type { Command } from '../command';
import { reviewedFiles } from './reviewedFiles';

/** Counts all changes of a turn, or all there are, as reviewed. */
export function keepAll({ ledger }: Host): Command {
  return {
    run(argument) {
      const { files, runId } = reviewedFiles(ledger, argument);
      for (const { path } of files) {
        if (runId === undefined) ledger.keep(path);
        else ledger.keepTurn(path, runId);
      }
      return Promise.resolve();
    },
  };
}
