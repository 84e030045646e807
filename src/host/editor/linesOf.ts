/** A text's lines as the editor counts them: after a final line ending there is one more, empty. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}
