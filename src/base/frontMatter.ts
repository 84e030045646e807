/** A Markdown file split into its parts, with `\n` line endings and no byte order mark. */
export interface FrontMatter {
  /** The YAML between the two dash lines; null if the file does not begin with front matter. */
  head: string | null;
  /** The line of the file where `head` begins, from 1. */
  headLine: number;
  body: string;
  /** The line of the file where `body` begins, from 1. */
  bodyLine: number;
  /** True if the first line opens front matter that is never closed; everything is `body` then. */
  unclosed: boolean;
}

const FENCE = /^---[ \t]*$/;
/** Some files use more than three dashes. */
const END = /^-{3,}[ \t]*$/;

/** Splits off front matter, which counts only at the very start: dashes further down are rules and tables of the text. */
export function splitFrontMatter(text: string): FrontMatter {
  const normal = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const lines = normal.split('\n');
  const whole = { head: null, headLine: 1, body: normal, bodyLine: 1 };
  if (!FENCE.test(lines[0] ?? '')) return { ...whole, unclosed: false };
  const end = lines.findIndex((line, index) => index > 0 && END.test(line));
  if (end < 0) return { ...whole, unclosed: true };
  return {
    head: lines.slice(1, end).join('\n'),
    headLine: 2,
    body: lines.slice(end + 1).join('\n'),
    bodyLine: end + 2,
    unclosed: false,
  };
}
