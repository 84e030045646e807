import type { Host } from '../../host';
import type { Command } from '../command';
import { hunkTarget } from './hunkTarget';

/** Counts a change that was made without asking as reviewed. */
export function keepHunk({ ledger }: Host): Command {
  return {
    run(argument, ...more) {
      const target = hunkTarget(ledger, argument, more);
      if (target) ledger.keep(target.path, target.keys);
      return Promise.resolve();
    },
  };
}
