import type { FileChange } from '../../../permissions/approvalHandler';
import type { FileSystem, PathStyle } from '../../../ports';
import { ToolFailure } from '../../toolOutput';
import { proposedChange } from '../edit/proposedChange';
import { missingPath } from '../missingPath';
import { lineEndingOf, readTextFile, textLines } from '../readTextFile';
import { type ResolvedPath, resolvePath } from '../resolvePath';
import { similarLines } from '../similarLines';
import { type ParsedPatch, parsePatch, type PatchHunk, type PatchRow } from './parsePatch';

const NOWHERE = '/dev/null';

interface PatchCall {
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

/** The position of a block of lines in a text. */
type Place =
  /** `at`: index of its first line, whether compared or not. `head`, `tail`: the number of lines that were not compared. */
  | { kind: 'placed'; at: number; head: number; tail: number }
  | { kind: 'nowhere' }
  /** Indices of the possible positions. */
  | { kind: 'ambiguous'; at: readonly number[] };

interface Wanted {
  lines: readonly string[];
  /** The number of lines at the beginning and the end that are only context, which may be excluded from the comparison. */
  head: number;
  tail: number;
  /** The expected index; null if unknown. */
  at: number | null;
  /** The position is not before this index. */
  from: number;
}

/** Lines of context that may differ on each side. */
const MAX_FUZZ = 2;

/** A position counts as intended if every other one is this many times as far away. */
const CLEARLY_NEARER = 3;
const MAX_PLACES = 10;

interface AppliedPatch {
  text: string;
  /** Notes for the model about how its hunks were placed. */
  notes: readonly string[];
}

/** A text to which hunks are applied from top to bottom. */
interface Patching {
  /** Lines with their endings. */
  lines: string[];
  /** The index after the last hunk; the next one begins there or later. */
  from: number;
  /** The number of lines by which the text is further down than the diff says. */
  drift: number;
  ending: string;
  /** True if the last line has no ending. */
  open: boolean;
  notes: string[];
}

/**
 * Applies hunks in order, each where it says, or otherwise where its lines are found. Lines that are kept are those of the text.
 * If a hunk cannot be placed, throws ToolFailure with the nearest position, and nothing is applied.
 */
export function applyPatch(text: string, hunks: readonly PatchHunk[], shown: string): AppliedPatch {
  const lines: string[] = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const open = text !== '' && !text.endsWith('\n');
  const state: Patching = { lines, from: 0, drift: 0, ending: lineEndingOf(text), open, notes: [] };
  hunks.forEach((hunk, index) => applyHunk(state, hunk, { number: index + 1, of: hunks.length, shown }));
  return { text: state.lines.join(''), notes: state.notes };
}

interface HunkName {
  number: number;
  of: number;
  shown: string;
}

function applyHunk(state: Patching, hunk: PatchHunk, name: HunkName): void {
  const old = hunk.rows.filter(({ mark }) => mark !== '+');
  const said = hunk.oldStart === null ? null : Math.max(0, hunk.oldStart - (old.length > 0 ? 1 : 0));
  const place = old.length > 0 ? placeOf(state, hunk, old, said, name) : placeOfAddition(state, said, name);
  const used = hunk.rows.slice(place.head, hunk.rows.length - place.tail);
  const at = place.at + place.head;
  const count = used.filter(({ mark }) => mark !== '+').length;
  const kept = state.lines.slice(at, at + count);
  const now = rebuilt(used, kept, state.ending);
  state.lines.splice(at, count, ...now);
  endLines(state, at + now.length, hunk.rows);
  state.from = at + now.length;
  if (hunk.note !== null) state.notes.push(hunk.note);
  noteOffset(state, place, said, name);
  if (said !== null) state.drift = place.at - said;
  state.drift += now.length - count;
}

interface PlacedAt {
  at: number;
  head: number;
  tail: number;
}

function placeOf(
  { lines, from, drift }: Patching,
  hunk: PatchHunk,
  old: readonly PatchRow[],
  said: number | null,
  name: HunkName,
): PlacedAt {
  const { rows } = hunk;
  const wanted = {
    lines: old.map(({ text }) => text),
    head: rows.findIndex(({ mark }) => mark !== ' '),
    tail: rows.length - 1 - rows.findLastIndex(({ mark }) => mark !== ' '),
    at: said === null ? null : said + drift,
    from,
  };
  const place = placeHunk(lines.map(withoutEnding), wanted);
  if (place.kind === 'placed') return place;
  const which = `Hunk ${name.number} of ${name.of} (${hunk.header.slice(0, 60)})`;
  if (place.kind === 'ambiguous') throw ambiguous(which, place.at, name.shown);
  throw nowhere(which, lines.join(''), rows, wanted.lines, name.shown);
}

/** A hunk that only adds lines and has no context is placed by its line number alone. */
function placeOfAddition({ lines, from, drift }: Patching, said: number | null, name: HunkName): PlacedAt {
  const at = said === null ? null : said + drift;
  if (lines.length === 0) return { at: 0, head: 0, tail: 0 };
  if (at === null || at < from || at > lines.length) {
    throw new ToolFailure(
      'failed',
      `Hunk ${name.number} of ${name.of} adds lines without saying where: ${name.shown} has ${lines.length} lines. Show a line or two around the place, each with a space in front. Nothing was written.`,
    );
  }
  return { at, head: 0, tail: 0 };
}

function rebuilt(rows: readonly PatchRow[], kept: readonly string[], ending: string): string[] {
  const now: string[] = [];
  let at = 0;
  for (const { mark, text } of rows) {
    if (mark === '+') now.push(text + ending);
    else {
      if (mark === ' ') now.push(kept[at] ?? '');
      at++;
    }
  }
  return now;
}

/** Only the last line may lack its ending. It stays as it was, unless the diff shows the end and says otherwise. */
function endLines(state: Patching, end: number, rows: readonly PatchRow[]): void {
  const { lines, ending } = state;
  if (end === lines.length) {
    const before = rows.some(({ mark, unended }) => mark !== '+' && unended);
    const after = rows.some(({ mark, unended }) => mark !== '-' && unended);
    if (before || after) state.open = after;
  }
  state.lines = lines.map((line, index) => {
    const bare = withoutEnding(line);
    if (index === lines.length - 1 && state.open) return bare;
    return line.endsWith('\n') ? line : bare + ending;
  });
}

function noteOffset(state: Patching, place: PlacedAt, said: number | null, { number }: HunkName): void {
  if (said !== null && place.at !== said + state.drift) {
    state.notes.push(`Hunk ${number} was placed at line ${place.at + place.head + 1}, not where it said.`);
  }
  if (place.head + place.tail > 0)
    state.notes.push(`Hunk ${number} was placed though its context differs from the file.`);
}

function withoutEnding(line: string): string {
  return line.replace(/\r?\n$/, '');
}

function ambiguous(which: string, at: readonly number[], shown: string): ToolFailure {
  const more = at.length > MAX_PLACES ? ', ...' : '';
  const where = at
    .slice(0, MAX_PLACES)
    .map((one) => one + 1)
    .join(', ');
  return new ToolFailure(
    'failed',
    `${which} fits ${shown} in ${at.length} places, at lines ${where}${more}. Correct its line number or show more lines around it. Nothing was written.`,
  );
}

function nowhere(
  which: string,
  text: string,
  rows: readonly PatchRow[],
  old: readonly string[],
  shown: string,
): ToolFailure {
  const now = rows.filter(({ mark }) => mark !== '-').map((row) => row.text);
  const lines = textLines(text);
  const done = placeHunk(lines, { lines: now, head: 0, tail: 0, at: null, from: 0 }).kind !== 'nowhere';
  const help = done
    ? 'The file already reads as it would afterwards; perhaps it was applied before.'
    : similarLines(text, old.join('\n')) || 'Nothing in the file is like it. Read the file again with fs_read.';
  return new ToolFailure('failed', `${which} does not fit ${shown}; nothing was written. ${help}`);
}

/** Finds the position of a block: exactly, otherwise ignoring spaces at line ends, otherwise also without one or two lines of context. */
function placeHunk(text: readonly string[], wanted: Wanted): Place {
  const exact = find(text, wanted, 0, (a, b) => a === b);
  if (exact.kind !== 'nowhere') return exact;
  for (let fuzz = 0; fuzz <= MAX_FUZZ; fuzz++) {
    // Without a line number, only the context says where the block belongs.
    if (fuzz > 0 && wanted.at === null) break;
    const found = find(text, wanted, fuzz, (a, b) => a.trimEnd() === b.trimEnd());
    if (found.kind !== 'nowhere') return found;
  }
  return { kind: 'nowhere' };
}

function find(text: readonly string[], wanted: Wanted, fuzz: number, same: (a: string, b: string) => boolean): Place {
  const head = Math.min(fuzz, wanted.head);
  const tail = Math.min(fuzz, wanted.tail);
  const block = wanted.lines.slice(head, wanted.lines.length - tail);
  // Whitespace alone does not identify a position.
  if (fuzz > 0 && (head + tail === 0 || block.every((line) => line.trim() === ''))) return { kind: 'nowhere' };
  const places: number[] = [];
  for (let first = wanted.from; first + block.length <= text.length; first++) {
    if (block.every((line, index) => same(text[first + index] ?? '', line))) places.push(first - head);
  }
  const at = chosen(places, wanted.at);
  if (at === undefined) return places.length > 0 ? { kind: 'ambiguous', at: places } : { kind: 'nowhere' };
  return { kind: 'placed', at, head, tail };
}

function chosen(places: readonly number[], wanted: number | null): number | undefined {
  if (places.length <= 1 || wanted === null) return places.length === 1 ? places[0] : undefined;
  const [nearest, next] = places.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted));
  if (nearest === undefined || next === undefined) return nearest;
  return Math.abs(nearest - wanted) * CLEARLY_NEARER <= Math.abs(next - wanted) ? nearest : undefined;
}
