import { brokenRows } from '../base/shown/brokenRows';
import type { ShownLine } from '../base/shown/shownLines';

const LINE = '  │ ';
/** Before what goes on from the line above it only because the screen ends. */
const GOES_ON = '  ↪ ';
const NOTE = '  ⋮ ';

/**
 * Lines behind a margin, broken here and not by the screen, so that none of them can pass for one of ours. With no width
 * they are not broken.
 */
export function marginLines(lines: readonly ShownLine[], columns: number): string[] {
  const width = Math.max(20, columns - LINE.length - 1);
  return lines.flatMap(({ text, isNote }) => {
    if (isNote) return [NOTE + text];
    const rows = columns > 0 ? brokenRows(text.replaceAll('\t', '    '), width) : [text];
    return rows.map((row, at) => (at === 0 ? LINE : GOES_ON) + row);
  });
}
