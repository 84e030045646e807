/** The lines of a text without their endings; a final line ending does not begin another line. */
export function textLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
