/** Words are kept whole where that costs no more than this. */
const MOST_LEFT_FREE = 24;

/** A line in rows of so many columns, broken between words where that costs little. No character is taken for too narrow. */
export function brokenRows(text: string, width: number): string[] {
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
