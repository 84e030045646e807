/** Words are kept whole if that wastes no more columns than this. */
const MOST_LEFT_FREE = 24;

/** Breaks a line into rows of at most `width` columns, between words where that costs little. Never underestimates a character's width. */
export function brokenRows(text: string, width: number): string[] {
  const rows: string[] = [];
  let row = '';
  let taken = 0;
  for (const character of text) {
    // No terminal uses more than two columns for a character.
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
