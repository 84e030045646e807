import { structuredPatch } from 'diff';
import type { FileDiff } from '../../messages/toolCall';
import type { FileChange } from '../../permissions/approvalHandler';

const CONTEXT = 3;
/** Beyond either limit, a finer comparison is not worth the wait. */
const EFFORT = { timeout: 500, maxEditLength: 5000 };
/**
 * Comparing takes twenty times the memory of the texts, so only the part of long texts between their first and last difference is
 * compared.
 */
const LONG = 1_000_000;

type Hunk = FileDiff['hunks'][number];

/** Returns the change as hunks for display. Texts that differ too much become one hunk between their common parts. */
export function fileDiff({ relativePath, before, after }: FileChange): FileDiff {
  const isLong = (before?.length ?? 0) + after.length > LONG;
  const whole = { before: before ?? '', after, linesAbove: 0 };
  const { linesAbove, ...texts } = isLong ? changedMiddle(whole.before, after, CONTEXT) : whole;
  const patch = structuredPatch('', '', texts.before, texts.after, '', '', { context: CONTEXT, ...EFFORT });
  const found = patch ? patch.hunks : coarse(texts.before, texts.after);
  const hunks = found.map(({ oldStart, newStart, lines }) => ({
    oldStart: oldStart + linesAbove,
    newStart: newStart + linesAbove,
    lines,
  }));
  const shown = hunks.map((hunk) => ({
    ...hunk,
    lines: hunk.lines.filter((line) => !line.startsWith('\\')).map(withoutReturn),
  }));
  const lines = shown.flatMap((hunk) => hunk.lines);
  return {
    path: relativePath,
    created: before === null,
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
    hunks: shown,
  };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function coarse(before: string, after: string): Hunk[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const shortest = Math.min(old.length, now.length);
  let head = 0;
  while (head < shortest && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shortest - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const start = Math.max(0, head - CONTEXT);
  const marked = (mark: string, lines: readonly string[]) => lines.map((line) => mark + line.replace(/\n$/, ''));
  const lines = [
    ...marked(' ', old.slice(start, head)),
    ...marked('-', old.slice(head, old.length - tail)),
    ...marked('+', now.slice(head, now.length - tail)),
    ...marked(' ', old.slice(old.length - tail, old.length - tail + CONTEXT)),
  ];
  return [{ oldStart: old.length > 0 ? start + 1 : 0, newStart: now.length > 0 ? start + 1 : 0, lines }];
}

/** Splits into lines with their endings, so that a missing last one counts as a difference. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * Removes the lines that both texts begin and end with, except for `context` of them on either side. Keeps nothing but the texts
 * in memory.
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

/** Returns where the line begins that is this many lines above the one at `at`. */
function linesBack(text: string, at: number, lines: number): number {
  let start = lineStart(text, at);
  for (let left = lines; left > 0 && start > 0; left--) start = lineStart(text, start - 1);
  return start;
}

/** Returns the start of the line that `at` is in. */
function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Returns where the line ends that is this many lines below the one at `at`. */
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
