import { concatAll } from '../../base/concatAll';
import { type ChangedPlace, changedPlaces, type LineHunk, lineHunks, type MergedLines, mergeLines } from '../../engine';

/** The lines of a file at some time. Never changed in place: the list itself stands for the version. */
type Version = readonly string[];

/** A version, and which side of a changed place tells of it. */
type SidedVersion = readonly [Version, 'base' | 'ours' | 'theirs'];

/** Where two known differences meet, lines are compared anew, but no longer than this takes. */
const LOCAL_EFFORT = { maxEditLength: 100 };

/**
 * How the versions of one file differ, as far as it is known. A file with many turns has many versions, and each key that is
 * pressed makes others of all of them: what is known of the ones before says how these differ, at the cost of their changes and
 * not of a comparison of whole files.
 */
export class LineDifferences {
  private readonly known = new WeakMap<Version, WeakMap<Version, readonly LineHunk[]>>();

  /** `current`: the version from which the way to all others is known; null while there is none. */
  constructor(private current: Version | null) {}

  between(from: Version, to: Version): readonly LineHunk[] {
    const found = this.found(from, to) ?? (this.current && this.through(this.current, from, to));
    return found ?? this.learn(from, to, lineHunks(from, to));
  }

  /** The lines of `from`, where these of its differences from `to` are made. */
  with(from: Version, to: Version, isMade: (hunk: LineHunk) => boolean): Version {
    const hunks = this.between(from, to);
    const all = hunks.filter(isMade);
    if (all.length === 0) return from;
    if (all.length === hunks.length) return to;
    const lines = withHunks(from, to, all);
    const [made, rest]: [LineHunk[], LineHunk[]] = [[], []];
    let growth = 0;
    for (const hunk of hunks) {
      const { oldStart, oldEnd, newStart, newEnd } = hunk;
      const start = oldStart + growth;
      if (isMade(hunk)) {
        growth += growthOf([hunk]);
        made.push({ oldStart, oldEnd, newStart: start, newEnd: oldEnd + growth });
      } else rest.push({ oldStart: start, oldEnd: oldEnd + growth, newStart, newEnd });
    }
    this.learn(from, lines, made);
    this.learn(lines, to, rest);
    return lines;
  }

  /** The lines of `to`; those that are the same as in `from` are the same strings, so that they are kept once. */
  sharing(from: Version, to: Version): Version {
    const hunks = lineHunks(from, to);
    const lines = withHunks(from, to, hunks);
    this.learn(from, lines, hunks);
    return lines;
  }

  /** As `mergeLines`. */
  merged(base: Version, ours: Version, theirs: Version): { lines: Version; overlaps: MergedLines['overlaps'] } {
    if (base === ours) return { lines: theirs, overlaps: [] };
    const [our, their] = [this.between(base, ours), this.between(base, theirs)];
    const { head, near, tail } = nearPlaces(our, their);
    const { lines, overlaps } = mergeLines(base, ours, theirs, near);
    if (lines.length === 0) return { lines: NO_TEXT, overlaps };
    const { places, growth } = mergedPlaces(near);
    const isTaken = ({ changedBy }: ChangedPlace) => changedBy === 'theirs';
    const result = places.some(isTaken) ? lines : ours;
    this.learn(ours, result, hunksOf([ours, 'ours'], [result, 'base'], places.filter(isTaken)));
    const left = places.filter((place) => !isTaken(place));
    const middle = hunksOf([theirs, 'theirs'], [result, 'base'], left);
    this.learn(theirs, result, [...head, ...middle, ...moved(tail, growthOf(their), growth)]);
    return { lines: result, overlaps };
  }

  /** The file is now another. `versions`: those that are still asked about, each near to the one before it. */
  moveTo(current: Version | null, versions: readonly Version[]): void {
    let above = current;
    for (const version of versions) {
      if (current && above) this.approach(current, above, version);
      above = version;
    }
    this.current = current;
  }

  private approach(current: Version, above: Version, version: Version): void {
    if (this.found(current, version)) return;
    if (this.current && this.through(this.current, current, version)) return;
    this.between(above, version);
    this.through(above, current, version);
  }

  /** What is known of both ways from a third version says how two differ. */
  private through(middle: Version, from: Version, to: Version): readonly LineHunk[] | undefined {
    const [ours, theirs] = [this.found(middle, from), this.found(middle, to)];
    if (!ours || !theirs) return undefined;
    return this.learn(from, to, hunksOf([from, 'ours'], [to, 'theirs'], changedPlaces(ours, theirs)));
  }

  private found(from: Version, to: Version): readonly LineHunk[] | undefined {
    if (from === to) return [];
    const found = this.known.get(from)?.get(to);
    if (found) return found;
    const back = this.known.get(to)?.get(from);
    return back && this.learn(from, to, back.map(turnedRound));
  }

  private learn(from: Version, to: Version, hunks: readonly LineHunk[]): readonly LineHunk[] {
    const known = this.known.get(from) ?? new WeakMap<Version, readonly LineHunk[]>();
    this.known.set(from, known.set(to, hunks));
    return hunks;
  }
}

/** A text without any has one line, which is empty. */
const NO_TEXT: Version = [''];

/** Where `their` changes lie, with those of `our` changes that are near; the rest lies before and after. */
function nearPlaces(our: readonly LineHunk[], their: readonly LineHunk[]) {
  const [start, end] = [their[0]?.oldStart ?? Infinity, their.at(-1)?.oldEnd ?? Infinity];
  const head = our.filter(({ oldEnd }) => oldEnd < start);
  const tail = our.filter(({ oldStart }) => oldStart > end);
  const shift = growthOf(head);
  const near = changedPlaces(our.slice(head.length, our.length - tail.length), their).map((place) => {
    return { ...place, ours: { start: place.ours.start + shift, end: place.ours.end + shift } };
  });
  return { head, near, tail };
}

/** The places as they are in what is merged of both, instead of in what both began with; and how much longer than `ours` that is. */
function mergedPlaces(near: readonly ChangedPlace[]): { places: ChangedPlace[]; growth: number } {
  let growth = 0;
  const places = near.map((place) => {
    const { ours, theirs, changedBy } = place;
    const start = ours.start + growth;
    if (changedBy === 'theirs') growth += theirs.end - theirs.start - (ours.end - ours.start);
    return { ...place, base: { start, end: ours.end + growth } };
  });
  return { places, growth };
}

/** How many lines changes add, less what they remove. */
function growthOf(hunks: readonly LineHunk[]): number {
  return hunks.reduce(
    (sum, { oldStart, oldEnd, newStart, newEnd }) => sum + newEnd - newStart - (oldEnd - oldStart),
    0,
  );
}

function moved(hunks: readonly LineHunk[], old: number, now: number): readonly LineHunk[] {
  return hunks.map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    oldStart: oldStart + old,
    oldEnd: oldEnd + old,
    newStart: newStart + now,
    newEnd: newEnd + now,
  }));
}

/** How two texts differ that are the same outside of these places; those without a line between them are one. */
function hunksOf(from: SidedVersion, to: SidedVersion, places: readonly ChangedPlace[]): LineHunk[] {
  const found: LineHunk[] = [];
  for (const place of places) {
    const [old, now] = [place[from[1]], place[to[1]]];
    const hunk = { oldStart: old.start, oldEnd: old.end, newStart: now.start, newEnd: now.end };
    // Only where both were changed may they be the same in parts.
    for (const finer of place.changedBy === 'both' ? finerHunks(from[0], to[0], hunk) : [hunk]) {
      const last = found.at(-1);
      if (last?.oldEnd === finer.oldStart && last.newEnd === finer.newStart) {
        found[found.length - 1] = { ...last, oldEnd: finer.oldEnd, newEnd: finer.newEnd };
      } else found.push(finer);
    }
  }
  return found;
}

function turnedRound({ oldStart, oldEnd, newStart, newEnd }: LineHunk): LineHunk {
  return { oldStart: newStart, oldEnd: newEnd, newStart: oldStart, newEnd: oldEnd };
}

function finerHunks(from: Version, to: Version, hunk: LineHunk): LineHunk[] {
  const { oldStart, oldEnd, newStart, newEnd } = hunk;
  return lineHunks(from.slice(oldStart, oldEnd), to.slice(newStart, newEnd), LOCAL_EFFORT).map((finer) => ({
    oldStart: finer.oldStart + oldStart,
    oldEnd: finer.oldEnd + oldStart,
    newStart: finer.newStart + newStart,
    newEnd: finer.newEnd + newStart,
  }));
}

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
