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
