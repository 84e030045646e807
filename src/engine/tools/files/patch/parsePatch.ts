import { ToolFailure } from '../../toolOutput';
import { textLines } from '../readTextFile';

/** One row of a hunk: kept, removed or added. */
export interface PatchRow {
  mark: ' ' | '-' | '+';
  text: string;
  /** True if the diff says that no line ending follows. */
  unended: boolean;
}

/** One hunk of a unified diff. */
export interface PatchHunk {
  /** The header as written. */
  header: string;
  /** The line of the old file where the hunk begins, from 1; for a hunk that only adds, the line before it. Null for a bare `@@`. */
  oldStart: number | null;
  rows: readonly PatchRow[];
  /** A correction made while parsing, worded for the model. */
  note: string | null;
}

/** The state of parsing a diff. */
interface PatchLines {
  readonly lines: readonly string[];
  /** Index of the next line to parse. */
  next: number;
}

/** Follows the last hunk of a diff that was sent by mail. */
const MAIL_END = '-- ';

const FILE = /^\*\*\* (Update|Add|Delete) File: (.+)$/;

/** A unified diff of one file. Names are without `a/` and `b/`; null if the diff has none. */
export interface ParsedPatch {
  oldName: string | null;
  newName: string | null;
  hunks: readonly PatchHunk[];
}

/** Parts of a diff that are not about lines of text. */
const UNSUPPORTED = [
  { pattern: /^(GIT binary patch|Binary files .* differ)/, what: 'a binary file' },
  { pattern: /^(rename|copy) (from|to) /, what: 'renaming or copying a file; use execute_command (git mv, mv, cp)' },
];

/** Parses a unified diff of one file. Throws ToolFailure, with the line of the diff, if it is not one. */
export function parsePatch(contents: string): ParsedPatch {
  const lines = unifiedLines(patchLines(contents));
  const hunks: PatchHunk[] = [];
  const oldNames: string[] = [];
  const newNames: string[] = [];
  const at: PatchLines = { lines, next: 0 };
  while (at.next < lines.length) {
    const line = lines[at.next] ?? '';
    if (line.startsWith('@@')) {
      hunks.push(readHunk(at, hunks.length + 1));
      continue;
    }
    if (line === MAIL_END) break;
    at.next++;
    if (line.startsWith('--- ')) oldNames.push(nameIn(line));
    else if (line.startsWith('+++ ')) newNames.push(nameIn(line));
    else refuseStray(line, at.next, hunks.length);
  }
  if (oldNames.length > 1 || newNames.length > 1) {
    throw refused(
      `contents has the diffs of several files (${[...newNames].join(', ')}). Call fs_patch once for each.`,
    );
  }
  if (hunks.length === 0) throw refused(noHunks(contents));
  return { oldName: oldNames[0] ?? null, newName: newNames[0] ?? null, hunks };
}

/** Returns the lines of the diff itself; models often put it in a code fence. */
function patchLines(contents: string): string[] {
  const lines = textLines(contents);
  const fence = lines.findIndex((line) => line.trim() !== '');
  if (!/^```/.test(lines[fence] ?? '')) return lines;
  const end = lines.findLastIndex((line) => line.trim() === '```');
  return lines.slice(fence + 1, end > fence ? end : undefined);
}

/** Anything may appear above the first hunk; below it, a row without its sign is a mistake that would change the meaning. */
function refuseStray(line: string, number: number, hunks: number): void {
  const unsupported = UNSUPPORTED.find(({ pattern }) => pattern.test(line));
  if (unsupported)
    throw refused(
      `Line ${number} of the diff is about ${unsupported.what}. fs_patch takes a unified diff of one text file.`,
    );
  if (
    hunks === 0 ||
    line.trim() === '' ||
    /^(diff|index|old mode|new mode|deleted file|new file|similarity) /.test(line)
  )
    return;
  throw refused(
    `Line ${number} of the diff belongs to no hunk: ${JSON.stringify(line.slice(0, 100))}. Each line of a hunk begins with a space, - or +.`,
  );
}

/** Turns `a/src/x.ts`, with a time or quotes around it, into `src/x.ts`. */
function nameIn(line: string): string {
  const name = line
    .slice(4)
    .replace(/\t[^]*$/, '')
    .trim()
    .replace(/^"(.*)"$/, '$1');
  return /^[abciow]\//.test(name) ? name.slice(2) : name;
}

function noHunks(contents: string): string {
  if (contents.trim() === '') return 'contents is empty: there is no diff in it.';
  return 'contents has no hunk, so nothing would change. A hunk begins with @@ -10,3 +10,4 @@ and each of its lines with a space, - or +. To write a whole file use fs_write.';
}

function refused(message: string): ToolFailure {
  return new ToolFailure('bad-arguments', message);
}

/**
 * Converts a patch between `*** Begin Patch` and `*** End Patch`, a format that some models are trained on, to the lines of a
 * unified diff; returns other lines unchanged. Throws ToolFailure if the patch does anything other than change one file.
 */
function unifiedLines(lines: readonly string[]): readonly string[] {
  const begin = lines.findIndex((line) => /^\*\*\* (Begin Patch|(Update|Add|Delete) File: )/.test(line));
  if (begin < 0) return lines;
  const end = lines.findIndex((line) => line.startsWith('*** End Patch'));
  const inside = lines.slice(begin, end < 0 ? undefined : end);
  const named = inside.flatMap((line) => FILE.exec(line.trimEnd())?.slice(1, 3) ?? []);
  const [kind, name] = named;
  if (named.length > 2)
    throw refused('contents has changes of several files. Call fs_patch once for each, with its own part.');
  if (kind === undefined || name === undefined) throw refused('contents names no file after *** Begin Patch.');
  if (kind === 'Add') throw refused(`To create ${name} use fs_write with its whole text.`);
  if (kind === 'Delete') throw refused(`To remove ${name} use fs_rm.`);
  if (inside.some((line) => line.startsWith('*** Move to:')))
    throw refused('To move a file use execute_command (git mv, mv).');
  const body = inside.filter((line) => !/^\*\*\* (Begin Patch|Update File|End of File)/.test(line));
  const first = body.findIndex((line) => line.trim() !== '');
  const hunks = (body[first] ?? '').startsWith('@@') ? body : ['@@', ...body];
  return [`--- ${name}`, `+++ ${name}`, ...hunks];
}

interface Counts {
  old: number;
  new: number;
}

const HEADER = /^@@+ *-(\d+)(?:,(\d+))? +\+(\d+)(?:,(\d+))? *@@/;
const NEXT_FILE = /^(diff --git |--- )/;

/**
 * Parses the next hunk. Its rows continue as long as they look like rows, whatever the header says: models count badly, and what
 * they wrote is what they meant. A difference is noted.
 */
function readHunk(at: PatchLines, number: number): PatchHunk {
  const header = at.lines[at.next] ?? '';
  const numbers = HEADER.exec(header);
  if (!numbers && !/^@@(?:\s*$|(?!.*-\d).*)/.test(header)) {
    throw refused(
      `The header of hunk ${number} cannot be read: ${header.slice(0, 100)}. Write it as @@ -10,3 +10,4 @@.`,
    );
  }
  const said = numbers && { old: Number(numbers[2] ?? 1), new: Number(numbers[4] ?? 1) };
  at.next++;
  const rows = readRows(at, said);
  const name = `Hunk ${number} (${header.slice(0, 60)})`;
  if (rows.length === 0) throw refused(`${name} has no lines.`);
  if (rows.every(({ mark }) => mark === ' '))
    throw refused(`${name} changes nothing: no line of it begins with - or +.`);
  const is = countsOf(rows);
  const oldStart = numbers ? Number(numbers[1]) : null;
  return { header, oldStart, rows, note: noteOf(name, said, is) };
}

function noteOf(name: string, said: Counts | null, is: Counts): string | null {
  if (!said) return `${name} has no line numbers; it was placed by its lines alone.`;
  if (said.old === is.old && said.new === is.new) return null;
  return `${name} counts ${said.old} old and ${said.new} new lines but has ${is.old} and ${is.new}; what it has was applied.`;
}

function readRows(at: PatchLines, said: Counts | null): PatchRow[] {
  const rows: PatchRow[] = [];
  let blanks = 0;
  for (; at.next < at.lines.length; at.next++) {
    const line = at.lines[at.next] ?? '';
    if (
      line.startsWith('@@') ||
      (line === MAIL_END && isFull(rows, said)) ||
      (NEXT_FILE.test(line) && endsHere(at, rows, said))
    )
      break;
    if (line.startsWith('\\')) markUnended(rows);
    else if (line === '') rows.push({ mark: ' ', text: '', unended: false });
    else {
      const mark = markOf(line);
      if (!mark) break;
      rows.push({ mark, text: line.slice(1), unended: false });
    }
    blanks = line === '' ? blanks + 1 : 0;
  }
  return withoutTrailing(rows, blanks, said);
}

/** Trailing empty lines belong to the hunk only as far as its header counts them. */
function withoutTrailing(rows: PatchRow[], blanks: number, said: Counts | null): PatchRow[] {
  for (let left = blanks; left > 0; left--) {
    const is = countsOf(rows);
    if (said && is.old <= said.old && is.new <= said.new) break;
    rows.pop();
  }
  return rows;
}

/** `--- x` may also be a removed line `-- x`: in a hunk that is not complete, or if no `+++ ` follows. */
function endsHere(at: PatchLines, rows: readonly PatchRow[], said: Counts | null): boolean {
  const line = at.lines[at.next] ?? '';
  if (line.startsWith('diff --git ')) return true;
  return (said === null || isFull(rows, said)) && (at.lines[at.next + 1] ?? '').startsWith('+++ ');
}

function isFull(rows: readonly PatchRow[], said: Counts | null): boolean {
  const is = countsOf(rows);
  return said !== null && is.old >= said.old && is.new >= said.new;
}

function markOf(line: string): PatchRow['mark'] | undefined {
  const sign = line[0];
  return sign === ' ' || sign === '-' || sign === '+' ? sign : undefined;
}

function markUnended(rows: PatchRow[]): void {
  const last = rows.pop();
  if (last) rows.push({ ...last, unended: true });
}

function countsOf(rows: readonly PatchRow[]): Counts {
  return {
    old: rows.filter(({ mark }) => mark !== '+').length,
    new: rows.filter(({ mark }) => mark !== '-').length,
  };
}
