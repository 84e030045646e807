/** What rendered Markdown hides: link definitions, data URLs, and the text after a code block's language. */
const UNSEEN: readonly RegExp[] = [
  // Brackets within a label have a backslash before them.
  /^[ \t>*+-]*\[(?:[^[\]\\]|\\.)*\]:/m,
  /\]\(\s*data:/i,
  /^[ \t>*+-]*(?:```+|~~~+(?!~))[^\S\n]*[^\s`]+[^\S\n]+\S/m,
];

/** Whether rendered Markdown may hide something from the user, who should then read the source. */
export function hasUnseenParts(markdown: string): boolean {
  return UNSEEN.some((pattern) => pattern.test(markdown)) || markdown.split(')').some(hasTitle);
}

/** Whether a link or an image, up to its closing parenthesis, has a title. */
function hasTitle(beforeClose: string): boolean {
  const at = beforeClose.indexOf('](');
  return at >= 0 && /\s["'(]/.test(beforeClose.slice(at));
}
