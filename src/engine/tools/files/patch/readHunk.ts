import { ToolFailure } from '../../toolFailure';
import type { PatchHunk, PatchRow } from './patchHunk';

/** A diff that is being read. */
export interface PatchLines {
  readonly lines: readonly string[];
  /** Index of the line to read next. */
  next: number;
}

interface Counts {
  old: number;
  new: number;
}

const HEADER = /^@@+ *-(\d+)(?:,(\d+))? +\+(\d+)(?:,(\d+))? *@@/;
/** Comes below the last hunk of a diff that was sent by mail. */
export const MAIL_END = '-- ';
const NEXT_FILE = /^(diff --git |--- )/;

/**
 * Reads the hunk whose header comes next. Its rows go on while they look like rows, whatever the header counts: models
 * count badly, and what they wrote is what they meant. A difference is noted.
 */
export function readHunk(at: PatchLines, number: number): PatchHunk {
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

/** Empty lines at the end belong to the hunk only as far as its header counts them. */
function withoutTrailing(rows: PatchRow[], blanks: number, said: Counts | null): PatchRow[] {
  for (let left = blanks; left > 0; left--) {
    const is = countsOf(rows);
    if (said && is.old <= said.old && is.new <= said.new) break;
    rows.pop();
  }
  return rows;
}

/** `--- x` may also be a line `-- x` that is taken away: in a hunk that is not full, and not followed by `+++ `. */
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

function refused(message: string): ToolFailure {
  return new ToolFailure('bad-arguments', message);
}
