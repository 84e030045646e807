import type { FileChange } from '../../permissions/approvalHandler';
import type { ResolvedPath } from './resolvePath';
import { encodeText, type TextFile } from './formats/textFile';

/** The change of one file to `after`. Throws ToolFailure when the file's encoding cannot hold it. */
export function proposedChange({ absolute, relative }: ResolvedPath, file: TextFile | null, after: string): FileChange {
  // Before anyone is asked, not when it is too late.
  if (file) encodeText({ ...file, text: after });
  return { path: absolute, relativePath: relative, before: file?.text ?? null, after };
}
