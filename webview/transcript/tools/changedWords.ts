import { diffArrays } from 'diff';
import type { DiffRow } from '../../../src/base/shown/diffRows';

/** A range of characters in a line, with an exclusive end. */
export interface TextRange {
  start: number;
  end: number;
}

type LineRow = Extract<DiffRow, { kind: 'line' }>;

interface Word extends TextRange {
  /** Null for the end of a line. */
  row: LineRow | null;
  text: string;
}

/** Maximum number of differing words; with more, marks would not help. */
const MOST_EDITS = 300;
/** Maximum number of characters on one side of all compared parts; more would be noticeably slow. */
const LONGEST_SIDE = 20_000;
/** If more than this share of a line has changed, the whole line counts as changed. */
const MOST_MARKED = 0.7;

/**
 * Returns the changes within the lines of a diff, by row: words of a part's removed lines that its added lines do not contain,
 * and vice versa. A line with little in common with the other side has no ranges.
 */
export function changedWords(rows: readonly DiffRow[]): ReadonlyMap<DiffRow, readonly TextRange[]> {
  const parts = new Map<number, { before: LineRow[]; after: LineRow[] }>();
  for (const row of rows) {
    if (row.kind !== 'line' || row.part === null) continue;
    const part = parts.get(row.part) ?? { before: [], after: [] };
    parts.set(row.part, part);
    (row.sign === '-' ? part.before : part.after).push(row);
  }
  const found = new Map<LineRow, TextRange[]>();
  let left = LONGEST_SIDE;
  for (const { before, after } of parts.values()) {
    const length = Math.max(lengthOf(before), lengthOf(after));
    if (before.length === 0 || after.length === 0 || length > left) continue;
    left -= length;
    comparePart(before, after, found);
  }
  for (const [row, ranges] of found) if (isMostOf(row, ranges)) found.delete(row);
  return found;
}

function comparePart(before: LineRow[], after: LineRow[], found: Map<LineRow, TextRange[]>): void {
  const [old, now] = [before.flatMap(wordsOf), after.flatMap(wordsOf)];
  const changes = diffArrays(
    old.map(({ text }) => text),
    now.map(({ text }) => text),
    { maxEditLength: MOST_EDITS },
  );
  let [oldAt, nowAt] = [0, 0];
  for (const { added, removed, count } of changes ?? []) {
    if (removed) mark(old.slice(oldAt, oldAt + count), found);
    if (added) mark(now.slice(nowAt, nowAt + count), found);
    if (!added) oldAt += count;
    if (!removed) nowAt += count;
  }
}

function lengthOf(rows: readonly LineRow[]): number {
  return rows.reduce((sum, { text }) => sum + text.length, 0);
}

function wordsOf(row: LineRow): Word[] {
  const words = [...row.text.matchAll(/[\p{L}\p{M}\p{N}_]+|\s+|[^]/gu)].map(({ 0: text, index }): Word => ({
    row,
    text,
    start: index,
    end: index + text.length,
  }));
  return [...words, { row: null, text: '\n', start: 0, end: 0 }];
}

function mark(words: readonly Word[], found: Map<LineRow, TextRange[]>): void {
  for (const { row, start, end } of words) {
    // Changed indentation is visible without a mark.
    if (!row || row.text.slice(0, end).trim() === '') continue;
    const ranges = found.get(row) ?? [];
    found.set(row, ranges);
    const last = ranges.at(-1);
    // Spaces between two changed words belong to the change.
    if (last && row.text.slice(last.end, start).trim() === '') last.end = end;
    else ranges.push({ start, end });
  }
}

function isMostOf({ text }: LineRow, ranges: readonly TextRange[]): boolean {
  const bare = (part: string) => part.replace(/\s/g, '').length;
  const marked = ranges.reduce((sum, { start, end }) => sum + bare(text.slice(start, end)), 0);
  return marked > 0 && marked > MOST_MARKED * bare(text);
}
