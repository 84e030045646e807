import * as vscode from 'vscode';
import { EDIT_SELECTION } from '../contributionPoints';
import { isHunkAddress } from '../editor/hunkLenses';
import { approvalIdOf } from '../editor/proposal';
import type { Command, Host } from '../host';

/** Accepts the proposal of the diff it is invoked in, otherwise the pending request in the panel. */
export function approve(host: Host): Command {
  return { run: (argument) => answerByCommand(host, argument, 'once') };
}

/** Rejects the proposal of the diff it is invoked in, otherwise the pending request in the panel. */
export function reject(host: Host): Command {
  return { run: (argument) => answerByCommand(host, argument, 'reject') };
}

/** The argument that key bindings pass when pressed in the diff of a proposal. */
const IN_DIFF = 'diff';

/** In a diff, the user sees what they answer. Any other request is left to the panel, which knows what the user has seen. */
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
  // The diff closes while focused. After an edited selection, focus returns to the editor instead of the panel.
  if (!isOfPerson) await panels.withPanel((controller) => controller.goOn());
}

/** Toggles the mark that keeps one change of a proposal. */
export function takeHunk({ review }: Host): Command {
  return {
    run(argument) {
      if (isHunkAddress(argument)) review.toggleTaken(argument.right, argument.key);
      return Promise.resolve();
    },
  };
}

/** Removes one change from a proposal. */
export function leaveHunk({ review }: Host): Command {
  return {
    async run(argument) {
      if (isHunkAddress(argument)) await review.leave(argument.right, argument.key);
    },
  };
}
