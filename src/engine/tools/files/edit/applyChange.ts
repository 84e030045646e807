import { throwIfAborted } from '../../../../base/abort';
import type { SeenFile } from '../../../messages/attachment';
import type { FileChange } from '../../../permissions/approvalHandler';
import type { FileSystem } from '../../../ports';
import type { ToolContext } from '../../toolContext';
import { TellableFailure } from '../../toolErrors';
import { ToolFailure, type ToolOutput } from '../../toolOutput';
import { fileDiff } from '../fileDiff';
import { encodeText } from '../formats/textFile';
import { numberedLine, readTextFile } from '../readTextFile';
import type { ResolvedPath } from '../resolvePath';
import { digestOf, type SeenFiles, seenLines } from '../seenFiles';

const MAX_SHOWN = 200;

/**
 * Writes an approved change, unless the file has changed since the change was computed, or the call was aborted. `propose`
 * returns what the model asked for, so that the model can be told what the user changed about it. A file that was known
 * completely before is known completely afterwards.
 */
export async function applyChange(
  files: FileSystem,
  change: FileChange,
  shown: string,
  propose: (before: string | null) => string,
  { signal, seen, judgedPath }: Pick<ToolContext, 'signal' | 'seen' | 'judgedPath'>,
): Promise<ToolOutput> {
  const current = await readTextFile(files, { absolute: change.path, relative: change.relativePath, shown });
  if ((current?.text ?? null) !== change.before)
    throw new ToolFailure('failed', changedMeanwhile(change, shown, !current));
  const diff = fileDiff(change);
  const proposed = change.proposed ?? propose(change.before);
  const leftOut =
    proposed === change.after ? undefined : fileDiff({ ...change, before: change.after, after: proposed });
  const detail = { kind: 'change' as const, diff, ...(leftOut && { leftOut }) };
  const made = proposed === change.after ? { text: '', isWhole: true } : whatThePersonMade(change, proposed);
  const told = made.text === '' ? '' : `\n${made.text}`;
  if (change.after === change.before) return { text: `${shown} is unchanged; nothing was written.${told}`, detail };
  throwIfAborted(signal);
  const knew = change.before === null || (await knowsWhole(seen, files, change.path, change.before));
  const bytes = encodeText({ text: change.after, encoding: current?.encoding ?? 'UTF-8' });
  await files.writeFile(change.path, bytes, judgedPath);
  const verb = diff.created ? 'Created' : 'Wrote';
  const known = await knownNow(files, change, seen, knew && made.isWhole);
  return { text: `${verb} ${shown} (+${diff.added} -${diff.removed}).${told}`, detail, ...(known && { seen: known }) };
}

/** A file that the model changed without having read it is recorded too, because instructions may apply to it. */
async function knownNow(
  files: FileSystem,
  { path, after }: FileChange,
  seen: SeenFiles,
  isWhole: boolean,
): Promise<SeenFile | undefined> {
  if (isWhole) return seenLines(files, { absolute: path }, after);
  if (seen.of(await files.realPath(path))) return undefined;
  return { ...(await seenLines(files, { absolute: path }, after, [])), unread: true };
}

function changedMeanwhile({ before }: FileChange, shown: string, gone: boolean): string {
  if (before === null)
    return `${shown} was created in the meantime; nothing was written. Read it with fs_read, then decide again.`;
  if (gone) return `${shown} was removed in the meantime; nothing was written. Check with fs_ls before you go on.`;
  return `${shown} was changed in the meantime; nothing was written. Read it again with fs_read, then repeat the edit on what is there now.`;
}

function whatThePersonMade(change: FileChange, proposed: string): { text: string; isWhole: boolean } {
  const { hunks } = fileDiff({ ...change, before: proposed });
  const rows = hunks.flatMap(({ newStart, lines }) =>
    lines.filter((line) => !line.startsWith('-')).map((line, index) => numberedLine(newStart + index, line.slice(1))),
  );
  const said = 'The user changed your proposal before it was written.';
  if (rows.length === 0) return { text: `${said} The file is now empty.`, isWhole: true };
  const isWhole = rows.length <= MAX_SHOWN;
  const cut = isWhole ? '' : `\nRead the rest with fs_read.`;
  const text = `${said} Where it differs, the file now reads:\n${rows.slice(0, MAX_SHOWN).join('\n')}${cut}`;
  return { text, isWhole };
}

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
  if (!seen || seen.unread) throw new TellableFailure(neverRead(shown));
  if (seen.digest !== (await digestOf(files, before))) throw new TellableFailure(changedSince(shown));
  if (!isWhole(seen)) throw new TellableFailure(partlyRead(shown, seen));
}

/** Whether the model knows all of a file with this text. */
async function knowsWhole(known: SeenFiles, files: FileSystem, path: string, text: string): Promise<boolean> {
  const seen = known.of(await files.realPath(path));
  return seen !== undefined && isWhole(seen) && seen.digest === (await digestOf(files, text));
}

function isWhole({ lines, of }: SeenFile): boolean {
  const [range] = lines;
  return of === 0 || (range?.first === 1 && range.last >= of);
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
