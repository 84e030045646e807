/**
 * What Markdown does not show where it is drawn: definitions of links, titles of links and images, what stands behind the language
 * of a block of code, and addresses that are not told.
 */
const UNSEEN: readonly RegExp[] = [
  /^[ \t>*+-]*\[[^\]]*\]:/m,
  /\]\([^)]*\s["'(]/,
  /\]\(\s*data:/i,
  /^[ \t>*+-]*(?:```+|~~~+)[^\S\n]*[^\s`]+[^\S\n]+\S/m,
];

/** True for Markdown of which a person who sees it drawn might not see all, so that they should read it as it is written. */
export function hasUnseenParts(markdown: string): boolean {
  return UNSEEN.some((pattern) => pattern.test(markdown));
}
