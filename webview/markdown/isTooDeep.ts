/** Nobody reads what is nested deeper, and the parser calls itself for each level. */
const DEEPEST = 60;
const MARKER = /[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;

/** Whether quotes and lists stand in each other so deep that they are better shown as they are written. */
export function isTooDeep(source: string): boolean {
  /** Where the items begin in which the line at hand stands. */
  const indents: number[] = [];
  for (const line of source.split('\n')) {
    const indent = line.search(/\S/);
    if (indent < 0) continue;
    while ((indents.at(-1) ?? -1) >= indent) indents.pop();
    const markers = markersOf(line);
    if (markers > 0) indents.push(indent);
    if (indents.length + markers > DEEPEST) return true;
  }
  return false;
}

function markersOf(line: string): number {
  let count = 0;
  MARKER.lastIndex = 0;
  while (count <= DEEPEST && MARKER.test(line)) count++;
  return count;
}
