import type { FileDiff } from '../../../src/protocol/chatState';

export type DiffRow =
  | { kind: 'gap' }
  | {
      kind: 'line';
      sign: ' ' | '+' | '-';
      number: number;
      text: string;
      /** Of a changed line: which of the diff's parts it belongs to, as diffParts counts them. */
      part: number | null;
    };

/** The lines of a diff as one column, numbered as in the file each belongs to, with a gap between hunks. */
export function diffRows({ hunks }: FileDiff): DiffRow[] {
  const rows: DiffRow[] = [];
  let part = -1;
  for (const [at, { oldStart, newStart, lines }] of hunks.entries()) {
    if (at > 0) rows.push({ kind: 'gap' });
    let [before, after] = [oldStart, newStart];
    let isOpen = false;
    for (const line of lines) {
      const sign = line.charAt(0);
      const text = line.slice(1);
      if (sign === '+' || sign === '-') {
        if (!isOpen) part++;
        isOpen = true;
        rows.push({ kind: 'line', sign, number: sign === '-' ? before++ : after++, text, part });
      } else if (sign !== '\\') {
        // "\ No newline at end of file" belongs to no side.
        isOpen = false;
        before++;
        rows.push({ kind: 'line', sign: ' ', number: after++, text, part: null });
      }
    }
  }
  return rows;
}
