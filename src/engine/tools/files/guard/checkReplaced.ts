import type { SeenFile } from '../../../messages/attachment';
import type { FileSystem } from '../../../ports';
import type { ResolvedPath } from '../resolvePath';
import { digestOf, type SeenFiles } from './seenFiles';
import { TellableFailure } from './tellableFailure';

/**
 * Throws TellableFailure unless the model knows everything that a new text of the whole file would replace. `before` is null if
 * there is no file.
 */
export async function checkReplaced(
  known: SeenFiles,
  files: FileSystem,
  { absolute, shown }: ResolvedPath,
  before: string | null,
): Promise<void> {
  if (before === null) return;
  const seen = known.of(await files.realPath(absolute));
  if (!seen) throw new TellableFailure(neverRead(shown));
  if (seen.digest !== (await digestOf(files, before))) throw new TellableFailure(changedSince(shown));
  if (!isWhole(seen)) throw new TellableFailure(partlyRead(shown, seen));
}

/** Whether the model knows all of a file with this text. */
export async function knowsWhole(known: SeenFiles, files: FileSystem, path: string, text: string): Promise<boolean> {
  const seen = known.of(await files.realPath(path));
  return seen !== undefined && isWhole(seen) && seen.digest === (await digestOf(files, text));
}

function isWhole({ lines, of }: SeenFile): boolean {
  const [range] = lines;
  return of === 0 || (lines.length === 1 && range?.first === 1 && range.last >= of);
}

const NOTHING = 'nothing was written';
const IN_PARTS = 'or change a part of it with fs_edit';

function neverRead(shown: string): string {
  return `${shown} exists and you have not read it; ${NOTHING}. Read it first with fs_read, then write it, ${IN_PARTS}.`;
}

function changedSince(shown: string): string {
  return `${shown} was changed since you read it; ${NOTHING}. Read it again with fs_read, then write it, ${IN_PARTS}.`;
}

function partlyRead(shown: string, { lines, of }: SeenFile): string {
  const known = lines.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
  const read = known === '' ? 'none of its lines whole' : `of its ${of} lines only ${known}`;
  return `You have not read all of ${shown}, ${read}; ${NOTHING}. Read the rest with fs_read, or what it cuts with fs_cat, ${IN_PARTS}.`;
}
