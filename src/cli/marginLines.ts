import type { ShownLine } from '../base/shown/shownLines';

const LINE = '  │ ';
/** Before what goes on from the line above it only because the screen ends. */
const GOES_ON = '  ↪ ';
const NOTE = '  ⋮ ';
/** Words are kept whole where that costs no more than this. */
const MOST_LEFT_FREE = 24;

/**
 * Lines behind a margin, broken here and not by the screen, so that none of them can pass for one of ours. With no width
 * they are not broken.
 */
export function marginLines(lines: readonly ShownLine[], columns: number): string[] {
  const width = Math.max(20, columns - LINE.length - 1);
  return lines.flatMap(({ text, isNote }) => {
    if (isNote) return [NOTE + text];
    const rows = columns > 0 ? broken(text.replaceAll('\t', '    '), width) : [text];
    return rows.map((row, at) => (at === 0 ? LINE : GOES_ON) + row);
  });
}

function broken(text: string, width: number): string[] {
  const rows: string[] = [];
  let row = '';
  let taken = 0;
  for (const character of text) {
    // No terminal needs more for one.
    const wide = character <= '~' ? 1 : 2;
    if (taken + wide > width) {
      const blank = row.lastIndexOf(' ') + 1;
      const cut = blank > 0 && row.length - blank <= MOST_LEFT_FREE ? blank : row.length;
      rows.push(row.slice(0, cut));
      row = row.slice(cut);
      taken = widthOf(row);
    }
    row += character;
    taken += wide;
  }
  return [...rows, row];
}

function widthOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + (character <= '~' ? 1 : 2), 0);
}
