const BLOCK = /^([ \t]*)(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^[ \t]*\2[`~]*[ \t]*$/m;

/** Returns the content of the first fenced block in a Markdown text, or the whole text if there is none. */
export function firstCodeBlock(markdown: string): string {
  const text = markdown.replace(/\r\n?/g, '\n');
  const [, , , code] = BLOCK.exec(text) ?? [];
  return (code ?? text).trim();
}
