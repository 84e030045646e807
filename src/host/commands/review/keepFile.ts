import type { Host } from '../../host';
import type { Command } from '../command';
import { reviewedFile } from './reviewedFiles';

/** Counts all changes of a file as reviewed. */
export function keepFile({ ledger }: Host): Command {
  return {
    run(argument) {
      ledger.keep(reviewedFile(ledger, argument).path);
      return Promise.resolve();
    },
  };
}
