import type { ToolResult } from '../../messages/toolResult';

/** The text of a result for an interface that has no flag for errors: the text says it. */
export function resultText({ status, text }: ToolResult): string {
  const said = text.trim() === '' ? '(no output)' : text;
  return status === 'error' && !/^error\b/i.test(said) ? `Error: ${said}` : said;
}
