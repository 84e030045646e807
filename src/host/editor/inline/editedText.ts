import type { EditedLines } from './editedLines';

/** A change of a document, as the editor tells it: where it was, and what is there now. */
interface LineChange {
  range: { start: { line: number }; end: { line: number } };
  text: string;
}

/** Where lines are after changes of their document; undefined when those touch them or the lines beside them. */
export function linesAfter({ first, end }: EditedLines, changes: readonly LineChange[]): EditedLines | undefined {
  if (changes.some(({ range }) => range.end.line >= first - 1 && range.start.line <= end)) return undefined;
  const growths = changes
    .filter(({ range }) => range.end.line < first)
    .map(({ range, text }) => text.split(/\r\n|\n|\r/).length - 1 - (range.end.line - range.start.line));
  const growth = growths.reduce((sum, one) => sum + one, 0);
  return { first: first + growth, end: end + growth };
}

/**
 * The lines of a file with others in the place of some. `isOpen`: more of them are to come, so the old ones that have not been
 * reached stay below.
 */
export function withCode(
  lines: readonly string[],
  { first, end }: EditedLines,
  code: readonly string[],
  isOpen: boolean,
): string[] {
  const rest = isOpen ? lines.slice(Math.min(end, first + code.length), end) : [];
  const edited = [...lines.slice(0, first), ...code, ...rest, ...lines.slice(end)];
  // The line after the last ending is none that is left out.
  const hadEnding = lines.length > 1 && lines.at(-1) === '';
  return hadEnding && edited.at(-1) !== '' ? [...edited, ''] : edited.length > 0 ? edited : [''];
}
