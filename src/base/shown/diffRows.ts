import { closeGaps, safeText, type Unseen } from './safeText';
import { unseenWarning } from './shownLines';

interface Hunk {
  /** First line on each side, from 1. */
  oldStart: number;
  newStart: number;
  /** Each line begins with ' ', '+' or '-'. */
  lines: readonly string[];
}

type Sign = ' ' | '+' | '-';

export type DiffRow =
  | { kind: 'gap' }
  /** So many blank lines, which would push what follows out of sight. */
  | { kind: 'blanks'; sign: Sign; number: number; count: number; part: number | null }
  | {
      kind: 'line';
      sign: Sign;
      number: number;
      /** As it can be shown. */
      text: string;
      /** Of a changed line: which of the diff's parts it belongs to, counted from 0 over all hunks. */
      part: number | null;
    };

type LineRow = Extract<DiffRow, { kind: 'line' }>;

/** So many blank lines in a row are shown as one. */
const GAP_LINES = 4;

/**
 * The lines of a diff as one column, numbered as in the file each belongs to, with a gap between hunks, and a warning of
 * what a person would not see; null for nothing.
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
      // "\ No newline at end of file" belongs to no side.
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

/** A file of Windows: each line that has an end has a return before it. */
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
