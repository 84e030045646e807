import type { Host } from '../../host';
import type { Command } from '../command';
import { reviewedFiles } from './reviewedFiles';

/** Counts all changes of a turn, or all there are, as reviewed. */
export function keepAll({ ledger }: Host): Command {
  return {
    name: 'keepAll',
    run(argument) {
      for (const { path } of reviewedFiles(ledger, argument)) ledger.keep(path);
      return Promise.resolve();
    },
  };
}
