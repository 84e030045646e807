const OPENING = /^[ \t]*(`{3,}|~{3,})/;

/** Returns the content of the first fenced block in a Markdown text, or the whole text if there is none. */
export function firstCodeBlock(markdown: string): string {
  const text = markdown.replace(/\r\n?/g, '\n');
  const lines = text.split('\n');
  const first = lines.findIndex((line) => OPENING.test(line));
  const fence = OPENING.exec(lines[first] ?? '')?.[1];
  const end = fence === undefined ? -1 : lines.findIndex((line, at) => at > first && closes(line.trim(), fence));
  return (end < 0 ? text : lines.slice(first + 1, end).join('\n')).trim();
}

function closes(line: string, fence: string): boolean {
  return line.startsWith(fence) && /^[`~]*$/.test(line);
}
