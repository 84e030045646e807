import type { DiffHunk, FileDiff } from '../../../src/protocol/chatState';

export type DiffRow = { kind: 'gap' } | { kind: 'line'; sign: ' ' | '+' | '-'; number: number; text: string };

/** The lines of a diff as one column, numbered as in the file each belongs to, with a gap between hunks. */
export function diffRows({ hunks }: FileDiff): DiffRow[] {
  return hunks.flatMap((hunk, at) => [...(at > 0 ? [{ kind: 'gap' as const }] : []), ...hunkRows(hunk)]);
}

function hunkRows({ oldStart, newStart, lines }: DiffHunk): DiffRow[] {
  let before = oldStart;
  let after = newStart;
  return lines.flatMap((line): DiffRow[] => {
    const text = line.slice(1);
    if (line.startsWith('-')) return [{ kind: 'line', sign: '-', number: before++, text }];
    if (line.startsWith('+')) return [{ kind: 'line', sign: '+', number: after++, text }];
    // "\ No newline at end of file" belongs to no side.
    if (line.startsWith('\\')) return [];
    before++;
    return [{ kind: 'line', sign: ' ', number: after++, text }];
  });
}
