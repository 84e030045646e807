/** What a shell that does not know `[[` or `((` would take for the end of a word, or expand. */
const SAYS_MORE = /[$&|;<>\n]/;
/** With a bracket behind a word, or a word behind a bracket, such a shell refuses the whole line, if none of it is quoted. */
const REFUSED = /[\w^.*+?\]/-]\((?!\s*\))|\)\s*[A-Za-z_$*+/%?:^=,-]/;

/**
 * The commands that a shell sees in a test or in arithmetic when it does not know the signs around them; null when there are
 * none, or when it would refuse the line.
 */
export function otherShellsText(inside: string): string | null {
  if (!SAYS_MORE.test(inside)) return null;
  const unquoted = inside.replaceAll(/"\$\{?\w+\}?"/g, 'x');
  const isSure = !/["'\\`\n]|\$\(/.test(unquoted);
  return isSure && REFUSED.test(unquoted) ? null : inside;
}
