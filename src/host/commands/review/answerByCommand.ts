import * as vscode from 'vscode';
import { approvalIdOf } from '../../editor/proposal';
import type { Host } from '../../host';

/** What the key bindings hand over when they are pressed in the diff of a proposal. */
const IN_DIFF = 'diff';

/** Of a diff the person sees what they answer; what waits elsewhere is left to the panel, which knows what they have seen. */
export async function answerByCommand(
  { approvals, panels }: Pick<Host, 'approvals' | 'panels'>,
  argument: unknown,
  kind: 'once' | 'reject',
): Promise<void> {
  const shown = argument === IN_DIFF ? vscode.window.activeTextEditor?.document.uri : argument;
  const ofDiff = shown instanceof vscode.Uri ? approvalIdOf(shown) : undefined;
  if (ofDiff === undefined) return panels.answerWaiting(kind);
  approvals.answer(ofDiff, { kind });
  // The diff closes under the focus.
  await panels.withPanel((controller) => controller.goOn());
}
