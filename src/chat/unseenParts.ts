/** What rendered Markdown hides: link definitions, titles of links and images, the text after a code block's language, and data URLs. */
const UNSEEN: readonly RegExp[] = [
  /^[ \t>*+-]*\[[^\]]*\]:/m,
  /\]\([^)]*\s["'(]/,
  /\]\(\s*data:/i,
  /^[ \t>*+-]*(?:```+|~~~+)[^\S\n]*[^\s`]+[^\S\n]+\S/m,
];

/** Whether rendered Markdown may hide something from the user, who should then read the source. */
export function hasUnseenParts(markdown: string): boolean {
  return UNSEEN.some((pattern) => pattern.test(markdown));
}
