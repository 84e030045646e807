/** A Markdown file taken apart; line ends are `\n` and a byte order mark is gone. */
export interface FrontMatter {
  /** The YAML between the two dash lines; null when the file does not begin with front matter. */
  head: string | null;
  /** Line of the file where `head` begins, from 1. */
  headLine: number;
  body: string;
  /** Line of the file where `body` begins, from 1. */
  bodyLine: number;
  /** True when the first line opens front matter and no line closes it; everything is body then. */
  unclosed: boolean;
}

const FENCE = /^---[ \t]*$/;
/** Some write the end longer. */
const END = /^-{3,}[ \t]*$/;

/** Front matter counts only at the very start: dashes further down are rules and tables of the text. */
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
