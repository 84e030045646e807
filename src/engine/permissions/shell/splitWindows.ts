import type { ShellPart, ShellReading, ShellRedirection, ShellWord } from './shellPart';

/** Letters, digits and the signs that mean nothing to PowerShell and to cmd. */
const PLAIN_LINE = /^[\p{L}\p{N} \t_./\\:=+-]*$/u;
/** Where a command may end, in either of the two. */
const BOUNDARY = /[\r\n;&|(){}]+/;
const WRITES = /[0-9*]?>{1,2}\s*("[^"]*"|'[^']*'|[^\s"'&|;<>()]+)/g;
/** Targets that are no files. */
const NO_FILE = /^(\$null|nul|&?\d)$/i;

/**
 * A line for PowerShell or cmd. One of plain words is one command; of anything else it is only guessed what might be
 * run, which is enough to deny but never to allow.
 */
export function splitWindows(line: string): ShellReading {
  if (PLAIN_LINE.test(line)) return { parts: partsOf(line, []), unclear: null, unread: null };
  const redirections = [...line.matchAll(WRITES)].flatMap(([, target = '']) => redirectionTo(target));
  const pieces = line.split(BOUNDARY).flatMap((piece) => partsOf(piece, []));
  const [first, ...rest] =
    pieces.length > 0 ? pieces : [{ text: line, assignments: [], words: [], redirections: [], inputs: [] }];
  const parts = first ? [{ ...first, redirections }, ...rest] : [];
  return { parts, unclear: 'more than plain words', unread: null };
}

function partsOf(text: string, redirections: ShellRedirection[]): ShellPart[] {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word): ShellWord => ({ text: word.replace(/^["']|["']$/g, ''), kind: 'exact' }));
  return words.length > 0 ? [{ text: text.trim(), assignments: [], words, redirections, inputs: [] }] : [];
}

function redirectionTo(target: string): ShellRedirection[] {
  const text = target.replace(/^["']|["']$/g, '');
  if (NO_FILE.test(text)) return [];
  return [{ kind: 'write', target: { text, kind: /[$%`*?!^]/.test(text) ? 'unknown' : 'exact' } }];
}
