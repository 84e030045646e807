import { columnsOf } from '../../src/base/shown/columns';

/** As much of a line as has room in so many columns, with a sign that there is more. */
export function clipText(text: string, columns: number): string {
  let used = 0;
  let kept = '';
  for (const sign of text) {
    used += columnsOf(sign);
    if (used > columns) return `${kept.trimEnd()}…`;
    // So that the sign for more has room.
    if (used <= columns - 1) kept += sign;
  }
  return text;
}
