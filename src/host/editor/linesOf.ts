/** Splits a text into lines as the editor counts them: a final line ending is followed by an empty line. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}
