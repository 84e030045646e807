import type { EditedLines } from './editedLines';

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
