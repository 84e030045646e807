import type { PartBuilder } from './partBuilder';

/** Shell keywords, where a command may begin. */
export const KEYWORDS = {
  /** A command begins after these. */
  opening: /^(!|\{|if|then|else|elif|while|until|do)$/,
  /** These end a group. */
  closing: /^(\}|fi|done)$/,
  loop: /^(for|select)$/,
  /** What follows may run more than once. */
  repeating: /^(for|select|while|until|function)$/,
  /** These begin a group, which may be timed. */
  group: /^(if|while|until|for|select|case|function|coproc|repeat|foreach|\[\[)$/,
  /** Only some shells know these, each with a different grammar. */
  foreign: /^(coproc|repeat|foreach|nocorrect)$/,
} as const;

/** A here-document whose text follows on the next lines. */
export interface HereDocument {
  delimiter: string;
  /** Whether the shell expands it, so that it may contain commands. */
  expands: boolean;
  stripsTabs: boolean;
  /** The depth of the list in which it was opened. */
  depth: number;
  part: PartBuilder;
}

/** Returns the text that begins at `from`, null if it has no end, and where the line after it begins. */
export function hereDocumentText(
  source: string,
  from: number,
  { delimiter, stripsTabs }: HereDocument,
): { text: string | null; next: number } {
  for (let start = from; start < source.length;) {
    const found = source.indexOf('\n', start);
    const end = found === -1 ? source.length : found;
    const line = source.slice(start, end);
    const next = Math.min(end + 1, source.length);
    if ((stripsTabs ? line.replace(/^\t+/, '') : line) === delimiter) return { text: source.slice(from, start), next };
    start = next;
  }
  return { text: null, next: source.length };
}

/** Text that a shell without `[[` or `((` would expand, or take for the end of a word. */
const SAYS_MORE = /[$&|;<>\n]/;
/** If a bracket follows a word, or a word follows a bracket, and nothing is quoted, such a shell refuses the whole line. */
const REFUSED = /[\w^.*+?\]/-]\((?!\s*\))|\)\s*[A-Za-z_$*+/%?:^=,-]/;

/** A word followed by another: the beginning of an arithmetic expression, or a command with arguments. */
const BEGINS_WITH_WORDS = /^\s*[^\s()]+\s+\S/;

/**
 * Returns the commands that a shell sees in a test or in arithmetic if it does not know the surrounding syntax; null if there are
 * none, or if it would refuse the line. The first word of a test is the shell's own.
 */
export function otherShellsText(inside: string, of: 'test' | 'arithmetic'): string | null {
  if (!SAYS_MORE.test(inside) && (of === 'test' || !BEGINS_WITH_WORDS.test(inside))) return null;
  const unquoted = inside.replaceAll(/"\$\{?\w+\}?"/g, 'x');
  const isSure = !/["'\\`\n]|\$\(/.test(unquoted);
  return isSure && REFUSED.test(unquoted) ? null : inside;
}
