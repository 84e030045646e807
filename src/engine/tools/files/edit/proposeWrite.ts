import type { FileChange } from '../../../permissions/approvalHandler';
import type { FileSystem, PathStyle } from '../../../ports';
import type { ToolContext } from '../../toolContext';
import type { ToolOutput } from '../../toolOutput';
import { lineEndingOf, readTextFile, withLineEnding } from '../readTextFile';
import { resolvePath } from '../resolvePath';
import { applyChange, checkReplaced } from './applyChange';
import { proposedChange } from './proposedChange';

interface WriteCall {
  path: string;
  /** The contents of the whole file. */
  contents: string;
}

interface Place {
  files: FileSystem;
  paths: PathStyle;
}

/** Computes the change that writing a whole file makes. Throws ToolFailure if it may not be written. */
export async function proposeWrite(
  { path, contents }: WriteCall,
  { workspace, seen, strike }: ToolContext,
  { files, paths }: Place,
): Promise<FileChange> {
  const resolved = resolvePath(paths, workspace, path);
  const file = await readTextFile(files, resolved);
  await checkReplaced(seen, files, resolved, file?.text ?? null);
  return proposedChange(resolved, file, written(file?.text ?? null, contents), strike);
}

export async function runWrite(call: WriteCall, context: ToolContext, place: Place): Promise<ToolOutput> {
  const { shown } = resolvePath(place.paths, context.workspace, call.path);
  const approved = context.change ?? (await proposeWrite(call, context, place));
  return applyChange(place.files, approved, shown, (before) => written(before, call.contents), context);
}

/** Keeps the Windows line endings of a file; models write `\n`. */
function written(before: string | null, contents: string): string {
  return before !== null && lineEndingOf(before) === '\r\n' ? withLineEnding(contents, '\r\n') : contents;
}
