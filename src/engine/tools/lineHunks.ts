import { diffArrays } from 'diff';

/** Lines `oldStart` up to but not including `oldEnd`, from 0, became lines `newStart` up to but not including `newEnd`. */
export interface LineHunk {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** Beyond either limit, a finer comparison is not worth the wait. */
const EFFORT = { timeout: 500, maxEditLength: 5000 };

/**
 * Returns the changes between two texts, in order, with at least one unchanged line between two hunks. `maxEditLength`: texts
 * that differ in more lines become one hunk between their common ends.
 */
export function lineHunks(
  before: readonly string[],
  after: readonly string[],
  { maxEditLength }: { maxEditLength: number } = EFFORT,
): LineHunk[] {
  const parts = diffArrays([...before], [...after], { ...EFFORT, maxEditLength });
  if (!parts) return coarse(before, after);
  const hunks: LineHunk[] = [];
  let [old, now] = [0, 0];
  let open: LineHunk | undefined;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) open = undefined;
    else if (!open) hunks.push((open = { oldStart: old, oldEnd: old, newStart: now, newEnd: now }));
    if (!added) old += value.length;
    if (!removed) now += value.length;
    if (open) [open.oldEnd, open.newEnd] = [old, now];
  }
  return hunks;
}

/** Returns one hunk between the common ends of both texts. */
function coarse(before: readonly string[], after: readonly string[]): LineHunk[] {
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shortest - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return [{ oldStart: head, oldEnd: before.length - tail, newStart: head, newEnd: after.length - tail }];
}
