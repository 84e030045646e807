import { PosixReader } from './posixReader';
import type { ShellReading } from './shellPart';

const MAX_LINE = 100_000;

/**
 * Takes a line for bash or sh apart into its simple commands, as deep as they stand. Never throws. A reader of our own rather than
 * the grammar of tree-sitter for bash, which reads as bash alone would and so, on the same lines, let through what dash and zsh
 * carry out (`test/bench/RESULTS.md`).
 */
export function splitPosix(line: string): ShellReading {
  const tooLong = 'a line too long to be judged';
  if (line.length > MAX_LINE) return { parts: [], unclear: tooLong, unread: tooLong };
  return PosixReader.read(line);
}
