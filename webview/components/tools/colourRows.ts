import { type CodeToken, highlightLines } from '../../markdown/highlightLines';
import type { DiffRow } from './diffRows';

/** The tokens of each row; each side is coloured as a whole, so that a comment over several lines stays one. */
export function colourRows(rows: readonly DiffRow[], path: string): (CodeToken[] | undefined)[] {
  const language = /\.(\w+)$/.exec(path)?.[1] ?? '';
  const before = colourSide(rows, '+', language);
  const after = colourSide(rows, '-', language);
  return rows.map((row, at) => (row.kind === 'line' && row.sign === '-' ? before[at] : after[at]));
}

/** Leaves out the lines of the other side, and gives each row its tokens back. */
function colourSide(rows: readonly DiffRow[], other: '+' | '-', language: string): (CodeToken[] | undefined)[] {
  const isOurs = (row: DiffRow) => row.kind === 'line' && row.sign !== other;
  const code = rows.filter(isOurs).map((row) => (row.kind === 'line' ? row.text : ''));
  const lines = highlightLines(code.join('\n'), language);
  let next = 0;
  return rows.map((row) => (isOurs(row) ? lines?.[next++] : undefined));
}
