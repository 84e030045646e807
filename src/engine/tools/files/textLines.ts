/** Returns the lines of a text without their endings; a final line ending does not begin another line. */
export function textLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Formats a line as a model reads it: number, tab, text. The result is ASCII if the text is: a single other character would
 * double the memory of a whole request, and the time to send it.
 */
export function numberedLine(number: number, text: string): string {
  return `${number}\t${text}`;
}

/** Removes the line numbers that a text was read with, including the format in older sessions. */
export function withoutLineNumbers(text: string): string {
  return text.replace(/^\s*\d+[\t→]/gm, '');
}

type LineEnding = '\n' | '\r\n';

/** Returns the most common line ending of a text; `\n` if there is none. */
export function lineEndingOf(text: string): LineEnding {
  let all = 0;
  let windows = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    all++;
    if (text[at - 1] === '\r') windows++;
  }
  return windows * 2 > all ? '\r\n' : '\n';
}

/** Returns the text with this line ending throughout. */
export function withLineEnding(text: string, ending: LineEnding): string {
  return text.replace(/\r?\n/g, ending);
}
