import type { EditedLines } from './editedLines';

/** A document change as reported by the editor: the old range and the new text. */
interface LineChange {
  range: { start: { line: number }; end: { line: number } };
  text: string;
}

/** Where the lines are after changes to their document; undefined if a change touches them or an adjacent line. */
export function linesAfter({ first, end }: EditedLines, changes: readonly LineChange[]): EditedLines | undefined {
  if (changes.some(({ range }) => range.end.line >= first - 1 && range.start.line <= end)) return undefined;
  const growths = changes
    .filter(({ range }) => range.end.line < first)
    .map(({ range, text }) => text.split(/\r\n|\n|\r/).length - 1 - (range.end.line - range.start.line));
  const growth = growths.reduce((sum, one) => sum + one, 0);
  return { first: first + growth, end: end + growth };
}

/** Replaces some lines of a file. `isOpen`: more lines are to come, so the old ones not reached yet are kept below. */
export function withCode(
  lines: readonly string[],
  { first, end }: EditedLines,
  code: readonly string[],
  isOpen: boolean,
): string[] {
  const rest = isOpen ? lines.slice(Math.min(end, first + code.length), end) : [];
  const edited = [...lines.slice(0, first), ...code, ...rest, ...lines.slice(end)];
  // The empty line after the final line ending must not be dropped.
  const hadEnding = lines.length > 1 && lines.at(-1) === '';
  return hadEnding && edited.at(-1) !== '' ? [...edited, ''] : edited.length > 0 ? edited : [''];
}
