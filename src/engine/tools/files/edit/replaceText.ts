import { lineEndingOf, withLineEnding } from '../lineEnding';

export type Replacement =
  | { kind: 'replaced'; text: string }
  | { kind: 'missing' }
  /** `lines`: where the matches begin, from 1. */
  | { kind: 'ambiguous'; lines: number[] };

/**
 * Replaces `old`, which must occur once unless `all` is set. Line endings are the only thing not taken literally: any in
 * `old` matches any in the text, and those in `now` become the ones of the place where it goes.
 */
export function replaceText(text: string, old: string, now: string, all: boolean): Replacement {
  const matches = findAll(text, old, !all);
  if (matches.length === 0) return { kind: 'missing' };
  if (!all && matches.length > 1) return { kind: 'ambiguous', lines: matches.map(({ at }) => lineAt(text, at)) };
  const usual = lineEndingOf(text);
  const parts: string[] = [];
  let end = 0;
  for (const { at, found } of matches) {
    const ending = found.includes('\n') ? lineEndingOf(found) : usual;
    parts.push(text.slice(end, at), withLineEnding(now, ending));
    end = at + found.length;
  }
  return { kind: 'replaced', text: parts.join('') + text.slice(end) };
}

/** Places where `old` stands; `overlapping` ones count when it matters that there is just one. */
function findAll(text: string, old: string, overlapping: boolean): { at: number; found: string }[] {
  const source = old.split(/\r?\n/).map(escaped).join('\\r?\\n');
  const pattern = new RegExp(source, 'g');
  const places: { at: number; found: string }[] = [];
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    places.push({ at: match.index, found: match[0] });
    if (overlapping) pattern.lastIndex = match.index + 1;
  }
  return places;
}

function escaped(line: string): string {
  return line.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
