import { concatAll } from '../../base/concatAll';
import { type ChangedPlace, changedPlaces, type LineHunk, lineHunks, type MergedLines, mergeLines } from '../../engine';

/** The lines of a file at some point. Never mutated: the array's identity stands for the version. */
type Version = readonly string[];

/** A version, and which side of a changed place refers to it. */
type SidedVersion = readonly [Version, 'base' | 'ours' | 'theirs'];

/** Where two known differences meet, lines are compared again, up to this effort. */
const LOCAL_EFFORT = { maxEditLength: 100 };

/**
 * A cache of how the versions of one file differ. A file with many turns has many versions, and each keystroke creates new ones
 * of all of them. How those differ is derived from what is known about the previous ones, at a cost that depends on the size of
 * the changes instead of the size of the files.
 */
export class LineDifferences {
  private readonly known = new WeakMap<Version, WeakMap<Version, readonly LineHunk[]>>();

  /** `current`: the version whose differences from all others are known; null if there is none. */
  constructor(private current: Version | null) {}

  between(from: Version, to: Version): readonly LineHunk[] {
    const found = this.found(from, to) ?? (this.current && this.through(this.current, from, to));
    return found ?? this.learn(from, to, lineHunks(from, to));
  }

  /** Returns the lines of `from` with the selected differences from `to` applied. */
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

  /** Returns the lines of `to`. Lines that are equal in `from` are the same strings, so that they are stored once. */
  sharing(from: Version, to: Version): Version {
    const hunks = lineHunks(from, to);
    const lines = withHunks(from, to, hunks);
    this.learn(from, lines, hunks);
    return lines;
  }

  /** Like `mergeLines`. */
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

  /** Makes another version the current one. `versions`: those still needed, each close to the one before it. */
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

  /** Derives how two versions differ from how both differ from a third one. */
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

/** An empty text has one line, which is empty. */
const NO_TEXT: Version = [''];

/** The places of `their` changes, together with those of `our` changes that are close. All other changes come before or after. */
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

/** Translates the places from the common base to the merged text, and returns how much longer than `ours` that text is. */
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

/** How many lines the changes add, minus those they remove. */
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

/** The differences between two texts that are equal outside these places. Adjacent differences are joined. */
function hunksOf(from: SidedVersion, to: SidedVersion, places: readonly ChangedPlace[]): LineHunk[] {
  const found: LineHunk[] = [];
  for (const place of places) {
    const [old, now] = [place[from[1]], place[to[1]]];
    const hunk = { oldStart: old.start, oldEnd: old.end, newStart: now.start, newEnd: now.end };
    // Only places that both sides changed can be partly equal.
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

/** Returns the lines of `from` with these of its differences from `to` applied. */
export function withHunks(from: readonly string[], to: readonly string[], hunks: readonly LineHunk[]): string[] {
  const pieces: (readonly string[])[] = [];
  let at = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of hunks) {
    pieces.push(from.slice(at, oldStart), to.slice(newStart, newEnd));
    at = oldEnd;
  }
  return concatAll([...pieces, from.slice(at)]);
}
