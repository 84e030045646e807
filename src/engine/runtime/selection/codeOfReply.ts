const FENCE = /^(`{3,}|~{3,})/;

/**
 * The lines that a model answered with: without a fence around them, with the indentation of the part that they take the place of,
 * and without empty lines at both ends. `isOpen`: more may follow.
 */
export function codeOfReply(reply: string, part: string, isOpen: boolean): string[] {
  const lines = reply.replace(/\r\n?/g, '\n').split('\n');
  const code = withoutEmptyEnds(withoutFence(lines, part, isOpen));
  return indented(code, part.split(/\r\n|\n|\r/));
}

function withoutFence(lines: readonly string[], part: string, isOpen: boolean): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  // In a part with fences of its own, one is only taken off where it is around all of the answer.
  const hasOwn = part.split('\n').some((line) => FENCE.test(line));
  const start = hasOwn ? first : lines.findIndex((line) => FENCE.test(line));
  const fence = start === -1 ? undefined : FENCE.exec(lines[start] ?? '')?.[1];
  if (fence === undefined) return isOpen && mayBecomeFence(lines, first) ? [] : lines;
  const closes = (line: string) => line.startsWith(fence) && line.slice(fence.length).trim() === '';
  const inside = lines.slice(start + 1);
  const end = hasOwn ? inside.findLastIndex(closes) : inside.findIndex(closes);
  const isAroundAll = inside.slice(end + 1).every((line) => line.trim() === '');
  if (hasOwn && (part.trimStart().startsWith(fence) || (!isOpen && (end === -1 || !isAroundAll)))) return lines;
  if (end !== -1) return inside.slice(0, end);
  return isOpen && fence.startsWith(inside.at(-1) ?? '') ? inside.slice(0, -1) : inside;
}

/** Whether the only line so far may be the beginning of a fence. */
function mayBecomeFence(lines: readonly string[], first: number): boolean {
  const line = lines[first] ?? '';
  return first === lines.length - 1 && ('```'.startsWith(line) || '~~~'.startsWith(line));
}

function withoutEmptyEnds(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first === -1) return [];
  return lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

/** Models leave out the indentation of the first line, or of all. */
function indented(lines: readonly string[], part: readonly string[]): string[] {
  const [first = '', ...rest] = lines;
  const [firstOfPart = '', ...restOfPart] = withoutEmptyEnds(part);
  const wanted = indentOf(firstOfPart);
  if (wanted === '' || indentOf(first) !== '') return [...lines];
  const least = restOfPart.some((line) => line.trim() !== '') ? leastIndent(restOfPart) : wanted.length;
  const isOnlyFirst = rest.some((line) => line.trim() !== '') && leastIndent(rest) >= least;
  if (isOnlyFirst) return [wanted + first, ...rest];
  return lines.map((line) => (line.trim() === '' ? line : wanted + line));
}

function leastIndent(lines: readonly string[]): number {
  return Math.min(...lines.filter((line) => line.trim() !== '').map((line) => indentOf(line).length));
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
