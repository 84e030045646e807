import { type LineHunk, lineHunks } from './lineHunks';

export interface MergedLines {
  lines: string[];
  /** Where both sides changed the same lines differently: lines `start` to before `end` of `lines`, as `ours` has them. */
  overlaps: { start: number; end: number }[];
}

/** Two changes of one text as one. Where they meet, `ours` stays and the place is told. */
export function mergeLines(base: readonly string[], ours: readonly string[], theirs: readonly string[]): MergedLines {
  const merged: MergedLines = { lines: [], overlaps: [] };
  let at = 0;
  for (const { start, end, our, their } of clusters(lineHunks(base, ours), lineHunks(base, theirs))) {
    merged.lines.push(...base.slice(at, start));
    at = end;
    const kept = carried(base, ours, our, start, end);
    const wanted = carried(base, theirs, their, start, end);
    const first = merged.lines.length;
    merged.lines.push(...(our.length > 0 ? kept : wanted));
    const same = kept.length === wanted.length && kept.every((line, index) => line === wanted[index]);
    if (our.length > 0 && their.length > 0 && !same) merged.overlaps.push({ start: first, end: merged.lines.length });
  }
  merged.lines.push(...base.slice(at));
  return merged;
}

/** Lines `start` to before `end` of the base, with the changes of one side or of both that touch them. */
interface Cluster {
  start: number;
  end: number;
  our: LineHunk[];
  their: LineHunk[];
}

function clusters(ours: readonly LineHunk[], theirs: readonly LineHunk[]): Cluster[] {
  const marked = [
    ...ours.map((hunk) => ({ hunk, side: 'our' as const })),
    ...theirs.map((hunk) => ({ hunk, side: 'their' as const })),
  ].sort((a, b) => a.hunk.oldStart - b.hunk.oldStart || a.hunk.oldEnd - b.hunk.oldEnd);
  const found: Cluster[] = [];
  for (const { hunk, side } of marked) {
    let last = found.at(-1);
    if (!last || !meets(last, hunk))
      found.push((last = { start: hunk.oldStart, end: hunk.oldEnd, our: [], their: [] }));
    last.end = Math.max(last.end, hunk.oldEnd);
    last[side].push(hunk);
  }
  return found;
}

/** Changes of neighbouring lines have a clear order; two insertions at one place have none. */
function meets({ start, end }: Cluster, { oldStart }: LineHunk): boolean {
  return oldStart < end || (start === end && oldStart === start);
}

function carried(
  base: readonly string[],
  side: readonly string[],
  hunks: readonly LineHunk[],
  start: number,
  end: number,
): string[] {
  const lines: string[] = [];
  let at = start;
  for (const { oldStart, oldEnd, newStart, newEnd } of hunks) {
    lines.push(...base.slice(at, oldStart), ...side.slice(newStart, newEnd));
    at = oldEnd;
  }
  return [...lines, ...base.slice(at, end)];
}
