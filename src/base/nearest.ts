/**
 * Returns the candidate that `word` was most likely meant to be, or undefined if none is close. `counts` is called only for
 * candidates that are close. A word that is too long for a name has no match.
 */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  counts: (candidate: string) => boolean = () => true,
): string | undefined {
  if (word.length > LONGEST) return undefined;
  const wanted = plain(word);
  let most = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  for (const candidate of candidates) {
    if (candidate.length > LONGEST * 2) continue;
    const distance = editDistance(wanted, plain(candidate), most);
    if (distance > most || !counts(candidate)) continue;
    best = candidate;
    if (distance === 0) break;
    // The first of several equally close candidates wins.
    most = distance - 1;
  }
  return best;
}

/** The cost of a comparison is the product of both lengths. */
const LONGEST = 300;

/** Case, dashes and underscores are what people confuse most often. */
function plain(word: string): string {
  return /^[a-z0-9]*$/.test(word) ? word : word.toLowerCase().replace(/[-_ ]/g, '');
}

/** The rows of the table below, reused because it is filled for every pair of words in long lists. */
let rows: [Int32Array, Int32Array, Int32Array] = [new Int32Array(64), new Int32Array(64), new Int32Array(64)];

/** Counts the insertions, deletions, replacements and swaps of neighbors that turn one into the other, and stops above `most`. */
function editDistance(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) > most) return most + 1;
  const width = to.length + 1;
  if (rows[0].length < width) rows = [new Int32Array(width * 2), new Int32Array(width * 2), new Int32Array(width * 2)];
  let [beforeLast, last, current] = rows;
  for (let column = 0; column < width; column++) last[column] = column;
  for (let row = 1; row <= from.length; row++) {
    const letter = from.charCodeAt(row - 1);
    let least = row;
    current[0] = row;
    for (let column = 1; column < width; column++) {
      const other = to.charCodeAt(column - 1);
      const step = Math.min(at(last, column), at(current, column - 1)) + 1;
      let distance = Math.min(step, at(last, column - 1) + (letter === other ? 0 : 1));
      const swapped =
        row > 1 && column > 1 && letter === to.charCodeAt(column - 2) && from.charCodeAt(row - 2) === other;
      if (swapped) distance = Math.min(distance, at(beforeLast, column - 2) + 1);
      current[column] = distance;
      if (distance < least) least = distance;
    }
    if (least > most) return least;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return at(last, to.length);
}

function at(row: Int32Array, column: number): number {
  return row[column] ?? 0;
}
