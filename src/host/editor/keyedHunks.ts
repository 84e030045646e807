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
