import type { PartBuilder } from './partBuilder';

/** The words that are the shell's own where a command may begin. */
export const KEYWORDS = {
  /** After these a command begins. */
  opening: /^(!|\{|if|then|else|elif|while|until|do)$/,
  /** These end a group. */
  closing: /^(\}|fi|done)$/,
  loop: /^(for|select)$/,
  /** What follows may be run more than once. */
  repeating: /^(for|select|while|until|function)$/,
  /** With these a group begins that may be timed. */
  group: /^(if|while|until|for|select|case|function|coproc|repeat|foreach|\[\[)$/,
  /** Only some shells know these, each with a grammar of its own. */
  foreign: /^(coproc|repeat|foreach|nocorrect)$/,
} as const;

/** A here-document of which the text comes with the next lines. */
export interface HereDocument {
  delimiter: string;
  /** Expanded by the shell, so that it may hold commands. */
  expands: boolean;
  stripsTabs: boolean;
  /** How deep the list stands in which it was opened. */
  depth: number;
  part: PartBuilder;
}

/** The text that begins at `from`, null when it has no end, and where the line behind it begins. */
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
