/**
 * What is left of two texts without the lines that both begin and end with, but for `context` of these on either side. Nothing
 * but the texts themselves is held in memory.
 */
export function changedMiddle(
  before: string,
  after: string,
  context: number,
): { before: string; after: string; linesAbove: number } {
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let tail = 0;
  const [oldEnd, newEnd] = [before.length - 1, after.length - 1];
  while (tail < shortest - head && before.charCodeAt(oldEnd - tail) === after.charCodeAt(newEnd - tail)) tail++;
  const start = linesBack(before, head, context);
  const rest = before.length - linesOn(before, before.length - tail, context);
  return {
    before: before.slice(start, before.length - rest),
    after: after.slice(start, after.length - rest),
    linesAbove: linesIn(before, start),
  };
}

/** Where the line begins that stands so many lines above the one at `at`. */
function linesBack(text: string, at: number, lines: number): number {
  let start = lineStart(text, at);
  for (let left = lines; left > 0 && start > 0; left--) start = lineStart(text, start - 1);
  return start;
}

/** Of the line that `at` is in. */
function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Where the line ends that stands so many lines below the one at `at`. */
function linesOn(text: string, at: number, lines: number): number {
  let end = at;
  for (let left = lines; left >= 0 && end < text.length; left--) {
    const next = text.indexOf('\n', end);
    end = next < 0 ? text.length : next + 1;
  }
  return end;
}

function linesIn(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
