const BLOCK = /^([ \t]*)(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^[ \t]*\2[`~]*[ \t]*$/m;

/** What stands in the first fenced block of a Markdown text; the whole text when it has none. */
export function firstCodeBlock(markdown: string): string {
  const text = markdown.replace(/\r\n?/g, '\n');
  const [, , , code] = BLOCK.exec(text) ?? [];
  return (code ?? text).trim();
}
