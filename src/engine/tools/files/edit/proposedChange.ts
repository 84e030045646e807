import type { FileChange } from '../../../permissions/approvalHandler';
import type { ResolvedPath } from '../resolvePath';
import { encodeText, type TextFile } from '../formats/textFile';
import { keepSecrets } from '../guard/hiddenSecrets';

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
