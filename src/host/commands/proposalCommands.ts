import * as vscode from 'vscode';
import { EDIT_SELECTION } from '../contributionPoints';
import { isHunkAddress } from '../editor/hunkLenses';
import { approvalIdOf } from '../editor/proposal';
import type { Command, Host } from '../host';

/** Accepts the proposal of the diff it is pressed in, else what waits in the panel. */
export function approve(host: Host): Command {
  return { run: (argument) => answerByCommand(host, argument, 'once') };
}

/** Refuses the proposal of the diff it is pressed in, else what waits in the panel. */
export function reject(host: Host): Command {
  return { run: (argument) => answerByCommand(host, argument, 'reject') };
}

/** What the key bindings hand over when they are pressed in the diff of a proposal. */
const IN_DIFF = 'diff';

/** Of a diff the person sees what they answer; what waits elsewhere is left to the panel, which knows what they have seen. */
async function answerByCommand(
  { approvals, panels, review }: Pick<Host, 'approvals' | 'panels' | 'review'>,
  argument: unknown,
  kind: 'once' | 'reject',
): Promise<void> {
  const shown = argument === IN_DIFF ? vscode.window.activeTextEditor?.document.uri : argument;
  const ofDiff = shown instanceof vscode.Uri ? approvalIdOf(shown) : undefined;
  if (ofDiff === undefined) return panels.answerWaiting(kind);
  const cancel = shown instanceof vscode.Uri ? review.cancelOf(shown) : undefined;
  if (cancel && kind === 'reject') {
    cancel();
    return;
  }
  const isOfPerson = approvals.get(ofDiff)?.tool === EDIT_SELECTION;
  approvals.answer(ofDiff, { kind });
  // The diff closes under the focus; who had their selection edited goes back to it.
  if (!isOfPerson) await panels.withPanel((controller) => controller.goOn());
}

/** Marks one change of a proposal as one to keep; again takes the mark away. */
export function takeHunk({ review }: Host): Command {
  return {
    run(argument) {
      if (isHunkAddress(argument)) review.toggleTaken(argument.right, argument.key);
      return Promise.resolve();
    },
  };
}

/** Takes one change out of a proposal. */
export function leaveHunk({ review }: Host): Command {
  return {
    async run(argument) {
      if (isHunkAddress(argument)) await review.leave(argument.right, argument.key);
    },
  };
}
