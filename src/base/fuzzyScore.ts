/** Scores how well the letters of `query` match `text` in order; 0 if they do not. Both must be lowercase. */
export function fuzzyScore(query: string, text: string): number {
  if (query === '') return 1;
  if (!hasLetters(query, text)) return 0;
  const name = text.slice(text.lastIndexOf('/') + 1);
  const inName = matchScore(query, name);
  // A match within the file name beats one that is scattered over the folders, and short paths come first.
  const score = inName > 0 ? inName + 40 : matchScore(query, text);
  if (score === 0) return 0;
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
