export type LineEnding = '\n' | '\r\n';

/** The line ending that most lines of a text have; `\n` when there is none. */
export function lineEndingOf(text: string): LineEnding {
  const windows = text.split('\r\n').length - 1;
  const all = text.split('\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}

/** The text with every line ended the same way. */
export function withLineEnding(text: string, ending: LineEnding): string {
  return text.replace(/\r?\n/g, ending);
}
