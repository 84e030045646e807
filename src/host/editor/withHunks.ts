import type { LineHunk } from '../../engine';

/** The lines of `from`, where these of its differences from `to` are made. */
export function withHunks(from: readonly string[], to: readonly string[], hunks: readonly LineHunk[]): string[] {
  const lines: string[] = [];
  let at = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of hunks) {
    lines.push(...from.slice(at, oldStart), ...to.slice(newStart, newEnd));
    at = oldEnd;
  }
  return [...lines, ...from.slice(at)];
}
