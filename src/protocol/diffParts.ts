import type { FileDiff } from './chatState';

/** Consecutive changed lines. 0-based, with exclusive ends. */
export interface DiffPart {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** Returns the parts of a diff that can be taken or left individually, in order. */
export function diffParts({ hunks }: FileDiff): DiffPart[] {
  return hunks.flatMap(({ oldStart, newStart, lines }) => {
    const parts: DiffPart[] = [];
    // An empty file has no first line.
    let old = Math.max(0, oldStart - 1);
    let now = Math.max(0, newStart - 1);
    let open: DiffPart | undefined;
    for (const line of lines) {
      if (line.startsWith('\\')) continue;
      if (line.startsWith(' ')) {
        open = undefined;
        old++;
        now++;
        continue;
      }
      if (!open) parts.push((open = { oldStart: old, oldEnd: old, newStart: now, newEnd: now }));
      if (line.startsWith('-')) open.oldEnd = ++old;
      else open.newEnd = ++now;
    }
    return parts;
  });
}
