import type { FileChange } from '../../../permissions/approvalHandler';
import type { FileSystem, PathStyle } from '../../../ports';
import { ToolFailure } from '../../toolFailure';
import { missingPath } from '../missingPath';
import { proposedChange } from '../edit/proposedChange';
import { readTextFile } from '../readTextFile';
import { type ResolvedPath, resolvePath } from '../resolvePath';
import { type AppliedPatch, applyPatch } from './applyPatch';
import { type ParsedPatch, parsePatch } from './parsePatch';

const NOWHERE = '/dev/null';

export interface PatchCall {
  path: string;
  /** A unified diff of the file. */
  contents: string;
}

/** Computes the change that a patch makes. Throws ToolFailure if it does not apply. */
export async function proposePatch(
  { path, contents }: PatchCall,
  workspace: string,
  { files, paths, strike }: { files: FileSystem; paths: PathStyle; strike: (text: string) => string },
): Promise<FileChange> {
  const patch = parsePatch(contents);
  const resolved = resolvePath(paths, workspace, path);
  refuseOtherFile(patch, resolved);
  const file = await readTextFile(files, resolved);
  if (!file && !createsFile(patch)) throw await missingPath(files, paths, workspace, resolved, 'file');
  const { text } = patched(file?.text ?? null, contents, resolved.shown);
  if (text === file?.text) {
    throw new ToolFailure('bad-arguments', 'The diff takes away what it adds, so there is nothing to change.');
  }
  return proposedChange(resolved, file, text, strike);
}

/** Applies a diff to the text of a file, which is null if there is no file. Throws ToolFailure if it does not apply. */
export function patched(before: string | null, contents: string, shown: string): AppliedPatch {
  const patch = parsePatch(contents);
  if (before !== null && before !== '' && patch.oldName === NOWHERE) {
    throw new ToolFailure('failed', `The diff creates ${shown}, but it exists. Read it with fs_read, then change it.`);
  }
  return applyPatch(before ?? '', patch.hunks, shown);
}

function createsFile({ oldName, hunks }: ParsedPatch): boolean {
  const onlyAdds = hunks.every(({ rows }) => rows.every(({ mark }) => mark === '+'));
  return onlyAdds && (oldName === NOWHERE || hunks.every(({ oldStart }) => oldStart === 0));
}

/** A diff names its file; if that is a different one, the model has confused something. */
function refuseOtherFile({ oldName, newName }: ParsedPatch, { relative, absolute, shown }: ResolvedPath): void {
  if (newName === NOWHERE) throw new ToolFailure('bad-arguments', `The diff removes ${shown}. Use fs_rm for that.`);
  const names = [newName, oldName].filter((name) => name !== null && name !== NOWHERE && name !== '');
  const fits = (name: string | null) =>
    name !== null &&
    [relative, absolute.replaceAll('\\', '/')].some((path) => sameEnd(path, name.replaceAll('\\', '/')));
  if (names.length === 0 || names.some(fits)) return;
  throw new ToolFailure(
    'bad-arguments',
    `The diff is for ${names[0]}, and path is ${shown}. Call fs_patch with the path of the file that the diff is for.`,
  );
}

function sameEnd(path: string, name: string): boolean {
  const plain = name.replace(/^(\.?\/)+/, '');
  return path === name || path === plain || path.endsWith(`/${plain}`) || plain.endsWith(`/${path}`);
}
