import { safeText } from './safeText';

/** A line in which something is not seen. */
export interface UnseenLine {
  /** From 1, the column of the first of it. */
  line: number;
  column: number;
  /** What it is: "⟨U+202E⟩". */
  marks: string;
}

const MARK = /⟨U\+[^⟩]*⟩/g;
const MOST_LINES = 10;
const MOST_MARKS = 3;

/** The first lines of a text of some language in which something is not seen, turns the direction or steers. */
export function unseenLines(text: string): UnseenLine[] {
  const found: UnseenLine[] = [];
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.replace(/\r$/, '');
    const marked = safeText(line);
    if (marked === line) continue;
    found.push({
      line: at + 1,
      column: sameLength(line, marked) + 1,
      marks: (marked.match(MARK) ?? []).slice(0, MOST_MARKS).join(' '),
    });
    if (found.length === MOST_LINES) break;
  }
  return found;
}

/** How long two texts are the same. */
function sameLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
