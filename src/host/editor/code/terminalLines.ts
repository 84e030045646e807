/** Returns the lines of a shell block as they can be typed, without the prompts that documentation puts before them. */
export function terminalLines(text: string): string[] {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map(withoutKeys)
    .filter((line) => line.trim() !== '');
  const prompted = lines.filter((line) => /^\s*[$>] /.test(line));
  // If some lines have a prompt, the others are output.
  return prompted.length > 0 ? prompted.map((line) => line.replace(/^\s*[$>] /, '')) : lines;
}

/** Removes control characters, because a terminal would take them for key presses, and a model's answer must not press keys. */
function withoutKeys(line: string): string {
  return line.replaceAll('\t', ' ').replace(/\p{Cc}/gu, '');
}
