import { concatAll } from '../../../base/concatAll';
import { type ChangedPlace, changedPlaces, type LineSpan } from './changedPlaces';
import { lineHunks } from './lineHunks';

export interface MergedLines {
  lines: string[];
  /** Where both sides changed the same lines differently: lines `start` to before `end` of `lines`, as `ours` has them. */
  overlaps: LineSpan[];
}

/**
 * Two changes of one text as one. Where they meet, `ours` stays and the place is told. `places`: where they lie, for who knows
 * it already; those that only `ours` changed may be left out.
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
