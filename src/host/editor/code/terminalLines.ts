/** The lines of a block for a shell as they can be typed: without the prompts that documentation puts before them. */
export function terminalLines(text: string): string[] {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map(withoutKeys)
    .filter((line) => line.trim() !== '');
  const prompted = lines.filter((line) => /^\s*[$>] /.test(line));
  // Where some lines have a prompt, the others are what the commands wrote.
  return prompted.length > 0 ? prompted.map((line) => line.replace(/^\s*[$>] /, '')) : lines;
}

/** What a terminal would take for a key is left out: an answer of a model must not press any. */
function withoutKeys(line: string): string {
  return line.replaceAll('\t', ' ').replace(/\p{Cc}/gu, '');
}
