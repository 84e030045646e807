export type LineEnding = '\n' | '\r\n';

/** The line ending that most lines of a text have; `\n` when there is none. */
export function lineEndingOf(text: string): LineEnding {
  let all = 0;
  let windows = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    all++;
    if (text[at - 1] === '\r') windows++;
  }
  return windows * 2 > all ? '\r\n' : '\n';
}

/** The text with every line ended the same way. */
export function withLineEnding(text: string, ending: LineEnding): string {
  return text.replace(/\r?\n/g, ending);
}
