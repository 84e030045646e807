import type { HighlightLines } from '../../markdown/highlighter';
import type { CodeToken } from '../../markdown/highlightLines';
import type { DiffRow } from '../../../src/base/shown/diffRows';

/** The tokens of each row; each side is coloured as a whole, so that a comment over several lines stays one. */
export function colourRows(
  rows: readonly DiffRow[],
  path: string,
  highlight: HighlightLines,
): (CodeToken[] | undefined)[] {
  const language = /\.(\w+)$/.exec(path)?.[1] ?? '';
  const colour = (code: string) => highlight(code, language);
  const before = colourSide(rows, '+', colour);
  const after = colourSide(rows, '-', colour);
  return rows.map((row, at) => (row.kind !== 'gap' && row.sign === '-' ? before[at] : after[at]));
}

/** Leaves out the lines of the other side, and gives each row its tokens back. */
function colourSide(
  rows: readonly DiffRow[],
  other: '+' | '-',
  colour: (code: string) => CodeToken[][] | null,
): (CodeToken[] | undefined)[] {
  const isOurs = (row: DiffRow) => row.kind !== 'gap' && row.sign !== other;
  const code = rows.filter(isOurs).map((row) => (row.kind === 'line' ? row.text : ''));
  const lines = colour(code.join('\n'));
  let next = 0;
  return rows.map((row) => (isOurs(row) ? lines?.[next++] : undefined));
}
