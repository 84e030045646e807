/** What a shell that does not know `[[` or `((` would take for the end of a word, or expand. */
const SAYS_MORE = /[$&|;<>\n]/;
/** With a bracket behind a word, or a word behind a bracket, such a shell refuses the whole line, if none of it is quoted. */
const REFUSED = /[\w^.*+?\]/-]\((?!\s*\))|\)\s*[A-Za-z_$*+/%?:^=,-]/;

/** A word with another one behind it: the first words of arithmetic, or a command with what it is given. */
const BEGINS_WITH_WORDS = /^\s*[^\s()]+\s+\S/;

/**
 * The commands that a shell sees in a test or in arithmetic when it does not know the signs around them; null when there are
 * none, or when it would refuse the line. Of a test the first word is its own.
 */
export function otherShellsText(inside: string, of: 'test' | 'arithmetic'): string | null {
  if (!SAYS_MORE.test(inside) && (of === 'test' || !BEGINS_WITH_WORDS.test(inside))) return null;
  const unquoted = inside.replaceAll(/"\$\{?\w+\}?"/g, 'x');
  const isSure = !/["'\\`\n]|\$\(/.test(unquoted);
  return isSure && REFUSED.test(unquoted) ? null : inside;
}
