/** A backslash in square brackets counts for itself in some programs, and for what follows in others. */
const BRACKETS = /\\.|\[(?:\^?\]|\^(?!\])|(?![\^\]]))(?:\[([:.=])[\w-]*\1\]|\\[^[\]]|[^[\]\\])*\]/gs;

/**
 * True when all square brackets of a regular expression are closed in it, whichever program reads it. Where they are not, its end
 * is another for programs that look for it behind the brackets.
 */
export function closesBrackets(expression: string): boolean {
  return !expression.replace(BRACKETS, '').includes('[');
}
