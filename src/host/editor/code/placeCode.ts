/** Lines of a text that are to be replaced, from 0; `end` is the first that stays. */
export interface LineRange {
  start: number;
  end: number;
}

/**
 * Where in a file a block of code belongs: when its first and its last line stand in the file just once and in this order, what
 * lies between them is replaced; else the whole file is.
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

/** A block mostly ends with a bracket that stands in the file many times: then it is the next one of the same indentation. */
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
