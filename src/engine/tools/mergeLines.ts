import { concatAll } from '../../base/concatAll';
import { type LineHunk, lineHunks } from './lineHunks';

/** Lines `start` up to but not including `end`, from 0. */
export interface LineSpan {
  start: number;
  end: number;
}

/** A place that at least one of two changes of a text touches, with its position in each of the three texts. */
export interface ChangedPlace {
  base: LineSpan;
  ours: LineSpan;
  theirs: LineSpan;
  changedBy: 'ours' | 'theirs' | 'both';
}

export interface MergedLines {
  lines: string[];
  /** Lines that both sides changed differently: `start` up to but not including `end` of `lines`, with the content of `ours`. */
  overlaps: LineSpan[];
}

/**
 * Merges two changes of one text. Where they meet, `ours` is kept and the place is reported. `places`: the changed places, if
 * already known; those that only `ours` changed may be omitted.
 */
export function mergeLines(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  places: readonly ChangedPlace[] = changedPlaces(lineHunks(base, ours), lineHunks(base, theirs)),
): MergedLines {
  const pieces: (readonly string[])[] = [];
  const overlaps: LineSpan[] = [];
  let [at, growth] = [0, 0];
  for (const place of places) {
    const wanted = theirs.slice(place.theirs.start, place.theirs.end);
    if (place.changedBy === 'theirs') {
      pieces.push(ours.slice(at, place.ours.start), wanted);
      at = place.ours.end;
      growth += wanted.length - (place.ours.end - place.ours.start);
    } else if (place.changedBy === 'both') {
      const kept = ours.slice(place.ours.start, place.ours.end);
      const same = kept.length === wanted.length && kept.every((line, index) => line === wanted[index]);
      if (!same) overlaps.push({ start: place.ours.start + growth, end: place.ours.end + growth });
    }
  }
  return { lines: concatAll([...pieces, ours.slice(at)]), overlaps };
}

/** Returns the places of two changes of one text, in order. Those that meet are combined. */
export function changedPlaces(ours: readonly LineHunk[], theirs: readonly LineHunk[]): ChangedPlace[] {
  const found: ChangedPlace[] = [];
  const [our, their] = [new Side(ours), new Side(theirs)];
  for (let next = firstOf(our, their); next; next = firstOf(our, their)) {
    const base = { start: next.oldStart, end: next.oldEnd };
    const [ourStart, theirStart] = [base.start + our.growth, base.start + their.growth];
    const [ourTaken, theirTaken] = [our.taken, their.taken];
    while (next) {
      base.end = Math.max(base.end, next.oldEnd);
      if (next === our.next) our.take(next);
      else their.take(next);
      const other = firstOf(our, their);
      next = other && meets(base, other) ? other : undefined;
    }
    found.push({
      base,
      ours: { start: ourStart, end: base.end + our.growth },
      theirs: { start: theirStart, end: base.end + their.growth },
      changedBy: our.taken === ourTaken ? 'theirs' : their.taken === theirTaken ? 'ours' : 'both',
    });
  }
  return found;
}

/** The changes of one side, taken one by one. */
class Side {
  taken = 0;
  /** Lines added minus lines removed by the changes taken so far. */
  growth = 0;

  constructor(private readonly hunks: readonly LineHunk[]) {}

  get next(): LineHunk | undefined {
    return this.hunks[this.taken];
  }

  take({ oldStart, oldEnd, newStart, newEnd }: LineHunk): void {
    this.taken++;
    this.growth += newEnd - newStart - (oldEnd - oldStart);
  }
}

function firstOf({ next: our }: Side, { next: their }: Side): LineHunk | undefined {
  if (!our || !their) return our ?? their;
  const order = our.oldStart - their.oldStart || our.oldEnd - their.oldEnd;
  return order <= 0 ? our : their;
}

/** Changes of adjacent lines have a clear order; two insertions at the same place have none. */
function meets({ start, end }: LineSpan, { oldStart }: LineHunk): boolean {
  return oldStart < end || (start === end && oldStart === start);
}
