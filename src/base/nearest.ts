/** The candidate that `word` was most likely meant to be, or undefined when none is close. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = plain(word);
  let most = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, plain(candidate), most);
    if (distance > most) continue;
    best = candidate;
    if (distance === 0) break;
    // Of two that are as close the first counts.
    most = distance - 1;
  }
  return best;
}

/** Case, dashes and underscores are what people mix up first. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[-_ ]/g, '');
}

/** Insertions, deletions, replacements and swaps of neighbours that lead from one to the other; more than `most` is not counted. */
function editDistance(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const step = Math.min(at(last, column), at(current, column - 1)) + 1;
      let distance = Math.min(step, at(last, column - 1) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) distance = Math.min(distance, at(beforeLast, column - 2) + 1);
      current.push(distance);
      least = Math.min(least, distance);
    }
    if (least > most) return least;
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
