import { safeText } from './safeText';

/** A line with hidden characters. */
export interface UnseenLine {
  /** From 1; `column` is that of the first hidden character. */
  line: number;
  column: number;
  /** The marks for the characters: "⟨U+202E⟩". */
  marks: string;
}

const MARK = /⟨U\+[^⟩]*⟩/g;
const MOST_LINES = 10;
const MOST_MARKS = 3;

/** Returns the first lines of a prose text that contain invisible, direction-changing or control characters. */
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

/** Returns the length of the common prefix. */
function sameLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
