/** The lines of a text without their endings; a final line ending does not begin another line. */
export function textLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * A line as a model reads it: its number, a tab, its text. All of it is ASCII when the text is: a single other character would
 * double the memory of a whole request, and the time to send it.
 */
export function numberedLine(number: number, text: string): string {
  return `${number}\t${text}`;
}

/** The lines of a text without the numbers that they were read with, also with those of sessions from before. */
export function withoutLineNumbers(text: string): string {
  return text.replace(/^\s*\d+[\t→]/gm, '');
}

type LineEnding = '\n' | '\r\n';

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
