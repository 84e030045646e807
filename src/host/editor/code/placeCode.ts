/** The lines of a text to replace, 0-based; `end` is the first line that stays. */
interface LineRange {
  start: number;
  end: number;
}

/**
 * Determines which lines of a file a code block replaces. If its first and last lines each appear exactly once in the file, in
 * this order, replaces everything from one to the other; otherwise the whole file.
 */
export function placeCode(file: string, code: string): LineRange {
  const lines = file.split('\n').map((line) => line.trimEnd());
  const block = code.split('\n').map((line) => line.trimEnd());
  const filled = block.filter((line) => line !== '');
  const start = onlyPlace(lines, filled.at(0));
  const end = onlyPlace(lines, filled.at(-1)) ?? closing(lines, start, filled);
  if (start === undefined || end === undefined || end < start) return { start: 0, end: lines.length };
  return { start, end: end + 1 };
}

/** Blocks often end with a bracket that appears many times in the file. In that case, the next one with the same indentation is used. */
function closing(lines: readonly string[], start: number | undefined, block: readonly string[]): number | undefined {
  const last = block.at(-1);
  if (start === undefined || last === undefined || !/^\s*[\])}>;,]+$|^\s*end$/.test(last)) return undefined;
  const at = lines.indexOf(last, start);
  return at < 0 ? undefined : at;
}

function onlyPlace(lines: readonly string[], line: string | undefined): number | undefined {
  if (line === undefined) return undefined;
  const first = lines.indexOf(line);
  return first >= 0 && first === lines.lastIndexOf(line) ? first : undefined;
}
