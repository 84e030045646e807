import type { Host } from '../../host';
import type { Command } from '../command';
import { isHunkAddress } from './hunkAddress';

/** Takes one change out of a proposal. */
export function leaveHunk({ review }: Host): Command {
  return {
    async run(argument) {
      if (isHunkAddress(argument)) await review.leave(argument.right, argument.key);
    },
  };
}
