import type { Host } from '../../host';
import type { Command } from '../command';
import { isHunkAddress } from './hunkAddress';

/** Marks one change of a proposal as one to keep; again takes the mark away. */
export function takeHunk({ review }: Host): Command {
  return {
    run(argument) {
      if (isHunkAddress(argument)) review.toggleTaken(argument.right, argument.key);
      return Promise.resolve();
    },
  };
}
