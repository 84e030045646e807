import { concatAll } from '../../base/concatAll';
import type { LineHunk } from '../../engine';

/** The lines of `from`, where these of its differences from `to` are made. */
export function withHunks(from: readonly string[], to: readonly string[], hunks: readonly LineHunk[]): string[] {
  const pieces: (readonly string[])[] = [];
  let at = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of hunks) {
    pieces.push(from.slice(at, oldStart), to.slice(newStart, newEnd));
    at = oldEnd;
  }
  return concatAll([...pieces, from.slice(at)]);
}
