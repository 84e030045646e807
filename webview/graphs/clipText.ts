import { columnsOf } from '../../src/base/shown/shownLines';

/** Truncates a line to a number of columns, with an ellipsis if it is longer. */
export function clipText(text: string, columns: number): string {
  let used = 0;
  let kept = '';
  for (const sign of text) {
    used += columnsOf(sign);
    if (used > columns) return `${kept.trimEnd()}…`;
    // Leaves room for the ellipsis.
    if (used <= columns - 1) kept += sign;
  }
  return text;
}
