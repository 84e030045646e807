import type { FileChange } from '../../../permissions/approvalHandler';
import { HIDDEN_MARK } from '../../../secrets/secretScan';
import { ToolFailure } from '../../toolFailure';
import { encodeText, type TextFile } from '../formats/textFile';
import type { ResolvedPath } from '../resolvePath';

/** The change of one file to `after`. Throws ToolFailure when the file's encoding cannot hold it, or a secret would be lost. */
export function proposedChange(
  { absolute, relative, shown }: ResolvedPath,
  file: TextFile | null,
  after: string,
  strike: (text: string) => string,
): FileChange {
  // Before anyone is asked, not when it is too late.
  if (file) {
    encodeText({ ...file, text: after });
    keepSecrets(shown, file.text, after, strike);
  }
  return { path: absolute, relativePath: relative, before: file?.text ?? null, after };
}

type Strike = (text: string) => string;

/**
 * Throws ToolFailure for a new text of a file in which the mark for a secret, as the model was shown it, would take the place
 * of the secret itself.
 */
function keepSecrets(shown: string, before: string, after: string, strike: Strike): void {
  if (marksIn(after) <= marksIn(before) || strike(before) === before) return;
  throw new ToolFailure(
    'failed',
    `${shown} holds a secret that you are shown as ${HIDDEN_MARK}, and the mark would overwrite it; nothing was written. Change the other lines with fs_edit, and leave out those with the mark.`,
  );
}

/** Why a text is not in a file, where it is the mark that is not; empty else. */
export function markHint(text: string, old: string, strike: Strike): string {
  return old.includes(HIDDEN_MARK) && strike(text) !== text
    ? ` It has ${HIDDEN_MARK}, which stands for a secret that you are not shown: choose a text without it.`
    : '';
}

function marksIn(text: string): number {
  return text.split(HIDDEN_MARK).length - 1;
}
