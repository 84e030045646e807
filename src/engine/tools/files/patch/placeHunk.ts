/** Where a block of lines stands in a text. */
export type Place =
  /** `at`: index of its first line, also one that was not compared. `head`, `tail`: lines of it that were not compared. `loose`: spaces at line ends differ. */
  | { kind: 'placed'; at: number; head: number; tail: number; loose: boolean }
  | { kind: 'nowhere' }
  /** Indices of where it could stand. */
  | { kind: 'ambiguous'; at: readonly number[] };

export interface Wanted {
  lines: readonly string[];
  /** How many lines at the beginning and the end are only context, which may be left out of the comparison. */
  head: number;
  tail: number;
  /** Index where it should stand; null when nothing says so. */
  at: number | null;
  /** It does not stand before this index. */
  from: number;
}

/** Lines of context that may differ on each side. */
const MAX_FUZZ = 2;
/** A place counts as meant when every other is so many times as far away. */
const CLEARLY_NEARER = 3;

/** The place of a block: exactly, else but for spaces at line ends, else without one or two lines of context. */
export function placeHunk(text: readonly string[], wanted: Wanted): Place {
  const exact = find(text, wanted, 0, (a, b) => a === b);
  if (exact.kind !== 'nowhere') return exact;
  for (let fuzz = 0; fuzz <= MAX_FUZZ; fuzz++) {
    // Without a line number the context is all that says where it belongs.
    if (fuzz > 0 && wanted.at === null) break;
    const found = find(text, wanted, fuzz, (a, b) => a.trimEnd() === b.trimEnd());
    if (found.kind !== 'nowhere') return found.kind === 'placed' ? { ...found, loose: true } : found;
  }
  return { kind: 'nowhere' };
}

function find(text: readonly string[], wanted: Wanted, fuzz: number, same: (a: string, b: string) => boolean): Place {
  const head = Math.min(fuzz, wanted.head);
  const tail = Math.min(fuzz, wanted.tail);
  const block = wanted.lines.slice(head, wanted.lines.length - tail);
  // White space alone says nothing about a place.
  if (fuzz > 0 && (head + tail === 0 || block.every((line) => line.trim() === ''))) return { kind: 'nowhere' };
  const places: number[] = [];
  for (let first = wanted.from; first + block.length <= text.length; first++) {
    if (block.every((line, index) => same(text[first + index] ?? '', line))) places.push(first - head);
  }
  const at = chosen(places, wanted.at);
  if (at === undefined) return places.length > 0 ? { kind: 'ambiguous', at: places } : { kind: 'nowhere' };
  return { kind: 'placed', at, head, tail, loose: false };
}

function chosen(places: readonly number[], wanted: number | null): number | undefined {
  if (places.length <= 1 || wanted === null) return places.length === 1 ? places[0] : undefined;
  const [nearest, next] = places.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted));
  if (nearest === undefined || next === undefined) return nearest;
  return Math.abs(nearest - wanted) * CLEARLY_NEARER <= Math.abs(next - wanted) ? nearest : undefined;
}
