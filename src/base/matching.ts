/**
 * Returns true if `text` matches `pattern`, where `*` matches any number of characters and `?` exactly one. The time is at most the
 * product of both lengths: a regular expression would take years for a pattern with ten `*`, and patterns come from other people.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  return matchesSequence(pattern, text, '*', (sign, character) => sign === '?' || sign === character);
}

/** Whether items fit the members of a pattern, in order, where `star` stands for any number of items. */
export function matchesSequence<Member, Item>(
  pattern: ArrayLike<Member>,
  items: ArrayLike<Item>,
  star: Member,
  fits: (member: Member, item: Item) => boolean,
): boolean {
  let [at, from] = [0, 0];
  let lastStar = -1;
  let afterStar = 0;
  while (from < items.length) {
    const [member, item] = [pattern[at], items[from]];
    if (member === star) {
      lastStar = at++;
      afterStar = from;
    } else if (member !== undefined && item !== undefined && fits(member, item)) {
      at++;
      from++;
    } else if (lastStar >= 0) {
      // Only the last star can need to take more: what the ones before it took does not matter any more.
      at = lastStar + 1;
      from = ++afterStar;
    } else return false;
  }
  while (pattern[at] === star) at++;
  return at === pattern.length;
}

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

/** Scores how well the letters of `query` match `text` in order; 0 if they do not. Both must be lowercase. */
export function fuzzyScore(query: string, text: string): number {
  if (query === '') return 1;
  if (!hasLetters(query, text)) return 0;
  const name = text.slice(text.lastIndexOf('/') + 1);
  const inName = matchScore(query, name);
  // A match within the file name beats one that is scattered over the folders, and short paths come first.
  const score = inName > 0 ? inName + 40 : matchScore(query, text);
  const whole = name === query ? 60 : name.startsWith(query) ? 20 : 0;
  return score + whole + 10 / (1 + text.length / 20);
}

/** A cheap check that rules out nearly every text. */
function hasLetters(query: string, text: string): boolean {
  let from = 0;
  for (let index = 0; index < query.length; index++) {
    from = text.indexOf(query.charAt(index), from) + 1;
    if (from === 0) return false;
  }
  return true;
}

const BOUNDARY = /[/._\- ]/;

function matchScore(query: string, text: string): number {
  const at = text.indexOf(query);
  if (at >= 0) return query.length * 4 + (at === 0 || BOUNDARY.test(text.charAt(at - 1)) ? 15 : 5);
  let score = 0;
  let from = 0;
  for (let index = 0; index < query.length; index++) {
    const found = text.indexOf(query.charAt(index), from);
    if (found < 0) return 0;
    if (found === from) score += 3;
    else if (BOUNDARY.test(text.charAt(found - 1))) score += 2;
    else score += 0.5;
    from = found + 1;
  }
  return score;
}
