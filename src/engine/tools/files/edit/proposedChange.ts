import type { FileChange } from '../../../permissions/approvalHandler';
import { HIDDEN_MARK } from '../../../secrets/secretScan';
import { ToolFailure } from '../../toolOutput';
import { encodeText, type TextFile } from '../formats/textFile';
import type { ResolvedPath } from '../resolvePath';

/** Returns the change of one file to `after`. Throws ToolFailure if the file's encoding cannot represent it, or a secret would be lost. */
export function proposedChange(
  { absolute, relative, shown }: ResolvedPath,
  file: TextFile | null,
  after: string,
  strike: (text: string) => string,
): FileChange {
  // Checked before anyone is asked, not when it is too late.
  if (file) {
    encodeText({ ...file, text: after });
    keepSecrets(shown, file.text, after, strike);
  }
  return { path: absolute, relativePath: relative, before: file?.text ?? null, after };
}

type Strike = (text: string) => string;

/** Throws ToolFailure if a new text would replace a secret with the mark that the model was shown in its place. */
function keepSecrets(shown: string, before: string, after: string, strike: Strike): void {
  if (marksIn(after) <= marksIn(before) || strike(before) === before) return;
  throw new ToolFailure(
    'failed',
    `${shown} holds a secret that you are shown as ${HIDDEN_MARK}, and the mark would overwrite it; nothing was written. Change the other lines with fs_edit, and leave out those with the mark.`,
  );
}

/** Returns a hint if a text is missing from a file because it contains the mark for a secret; otherwise empty. */
export function markHint(text: string, old: string, strike: Strike): string {
  return old.includes(HIDDEN_MARK) && strike(text) !== text
    ? ` It has ${HIDDEN_MARK}, which stands for a secret that you are not shown: choose a text without it.`
    : '';
}

function marksIn(text: string): number {
  return text.split(HIDDEN_MARK).length - 1;
}
