import { type LineHunk, lineHunks } from '../../engine';

/** A change with a key derived from its content, so that it is found again when the list shifts. */
export interface KeyedHunk extends LineHunk {
  key: string;
}

/** `hunks`: the differences between the texts, if already computed. */
export function keyedHunks(
  left: readonly string[],
  right: readonly string[],
  hunks: readonly LineHunk[] = lineHunks(left, right),
): KeyedHunk[] {
  const seen = new Map<string, number>();
  return hunks.map((hunk) => {
    const content = JSON.stringify([left.slice(hunk.oldStart, hunk.oldEnd), right.slice(hunk.newStart, hunk.newEnd)]);
    const earlier = seen.get(content) ?? 0;
    seen.set(content, earlier + 1);
    return { ...hunk, key: `${earlier}:${content}` };
  });
}

/** Like the editor's limit, for texts with very many equal lines. */
const FARTHEST = 100;

/**
 * Returns the line at which the editor's diff shows each hunk. Lines that only one side has often fit at several places between
 * equal ones, such as the blank line before or after a new function. The editor takes the place with the least indentation around
 * it, the first of several.
 */
export function shownStarts(left: readonly string[], right: readonly string[], hunks: readonly LineHunk[]): number[] {
  return hunks.map((hunk, index) => {
    const { oldStart, oldEnd, newStart, newEnd } = hunk;
    if (oldStart < oldEnd && newStart < newEnd) return newStart;
    const [lines, start, end] = oldStart === oldEnd ? [right, newStart, newEnd] : [left, oldStart, oldEnd];
    const above = newStart - ((hunks[index - 1]?.newEnd ?? -1) + 1);
    const below = (hunks[index + 1]?.newStart ?? right.length + 1) - 1 - newEnd;
    const isSame = (delta: number) => lines[start + delta] === lines[end + delta];
    let [first, last] = [0, 0];
    while (-first < Math.min(FARTHEST, above) && isSame(first - 1)) first--;
    while (last < Math.min(FARTHEST, below) && isSame(last)) last++;
    const places = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    const depth = (delta: number) =>
      depthAt(left, oldStart + delta) + depthAt(right, newStart + delta) + depthAt(lines, end + delta);
    const best = places.reduce((least, delta) => (depth(delta) < depth(least) ? delta : least), first);
    return newStart + best;
  });
}

/** The indentation of the two lines that meet at an offset. */
function depthAt(lines: readonly string[], offset: number): number {
  return [lines[offset - 1], lines[offset]].reduce((sum, line = '') => sum + line.length - line.trimStart().length, 0);
}
