import { type FrontMatter, splitFrontMatter } from '../../base/frontMatter';

const CODE_BLOCK = /^(`{3,})[\w-]*[ \t]*$/;
/** Tells front matter that begins further down from a rule of the text. */
const KEY = /^---[ \t]*\n[A-Za-z_][\w.-]*[ \t]*:/;

/**
 * Splits off front matter that was written for another tool. Blank lines and comments may precede it, and a code block may
 * enclose the whole file, as some generators write it. Without these, the file's limits would silently not count.
 */
export function foreignFrontMatter(text: string): FrontMatter {
  const own = splitFrontMatter(text);
  if (own.head !== null || own.unclosed) return own;
  const lines = own.body.split('\n');
  const { start, block } = beginning(lines);
  const rest = lines.slice(start, endOf(lines, block)).join('\n');
  if (start === 0 || !KEY.test(rest)) return own;
  const split = splitFrontMatter(rest);
  return { ...split, headLine: split.headLine + start, bodyLine: split.bodyLine + start };
}

/** Returns where front matter may begin, and the marks of the code block around it. */
function beginning(lines: readonly string[]): { start: number; block: string } {
  let start = filledFrom(lines, 0);
  while (lines[start]?.startsWith('<!--')) {
    while (start < lines.length && !lines[start]?.trimEnd().endsWith('-->')) start++;
    start = filledFrom(lines, start + 1);
  }
  const [, block = ''] = CODE_BLOCK.exec(lines[start] ?? '') ?? [];
  return { start: block === '' ? start : filledFrom(lines, start + 1), block };
}

function filledFrom(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && lines[at]?.trim() === '') at++;
  return at;
}

/** Returns the number of lines without the one that closes the code block. */
function endOf(lines: readonly string[], block: string): number {
  const last = block === '' ? -1 : lines.findLastIndex((line) => line.trim() !== '');
  return lines[last]?.trim() === block ? last : lines.length;
}
