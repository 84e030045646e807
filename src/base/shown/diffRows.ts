import { closeGaps, safeText, type Unseen } from './safeText';
import { unseenWarning } from './shownLines';

interface Hunk {
  /** The first line on each side, from 1. */
  oldStart: number;
  newStart: number;
  /** Each line begins with ' ', '+' or '-'. */
  lines: readonly string[];
}

type Sign = ' ' | '+' | '-';

export type DiffRow =
  | { kind: 'gap' }
  /** A run of blank lines, which would otherwise push what follows out of sight. */
  | { kind: 'blanks'; sign: Sign; number: number; count: number; part: number | null }
  | {
      kind: 'line';
      sign: Sign;
      number: number;
      /** Safe to display. */
      text: string;
      /** For a changed line: the part of the diff that it belongs to, counted from 0 across all hunks. */
      part: number | null;
    };

type LineRow = Extract<DiffRow, { kind: 'line' }>;

/** This many consecutive blank lines or more are folded into one row. */
const GAP_LINES = 4;

/**
 * Returns the lines of a diff as one column, each with its line number in the old or new file, and a gap between hunks. `warning`
 * names what the user would not see; null for nothing.
 */
export function diffRows(hunks: readonly Hunk[]): { rows: DiffRow[]; warning: string | null } {
  const found = new Set<Unseen>();
  const endsInReturns = hunks.every(hasReturns);
  let part = -1;
  const rows = hunks.flatMap(({ oldStart, newStart, lines }, at): DiffRow[] => {
    const some: LineRow[] = [];
    let [before, after] = [oldStart, newStart];
    let isOpen = false;
    for (const line of lines) {
      // "\ No newline at end of file" belongs to neither side.
      if (line.startsWith('\\')) continue;
      const sign = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' ';
      if (sign !== ' ' && !isOpen) part++;
      isOpen = sign !== ' ';
      const number = sign === '-' ? before : after;
      if (sign !== '+') before++;
      if (sign !== '-') after++;
      const own = line.slice(1, endsInReturns && line.endsWith('\r') ? -1 : undefined);
      const text = closeGaps(safeText(own, 'code', (kind) => found.add(kind)));
      some.push({ kind: 'line', sign, number, text, part: isOpen ? part : null });
    }
    return [...(at > 0 ? [{ kind: 'gap' as const }] : []), ...foldBlanks(some)];
  });
  return { rows, warning: unseenWarning(found) };
}

/** Whether the hunk has Windows line endings: a carriage return before every line end. */
function hasReturns({ lines }: Hunk): boolean {
  return lines.every(
    (line, at) => line.startsWith('\\') || line.endsWith('\r') || (lines[at + 1]?.startsWith('\\') ?? false),
  );
}

function foldBlanks(rows: readonly LineRow[]): DiffRow[] {
  const folded: DiffRow[] = [];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at];
    if (!row) continue;
    let end = at;
    while (rows[end]?.sign === row.sign && rows[end]?.text.trim() === '') end++;
    if (end - at < GAP_LINES) folded.push(row);
    else {
      const { sign, number, part } = row;
      folded.push({ kind: 'blanks', sign, number, part, count: end - at });
      at = end - 1;
    }
  }
  return folded;
}
