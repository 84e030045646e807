import type { FileDiff } from './chatState';

/** Changed lines without an unchanged one between them; from 0, each end after the last. */
export interface DiffPart {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** What of a diff can be taken or left on its own, in order. */
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
