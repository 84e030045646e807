import * as z from '../../base/zod';
import { errorText } from '../../base/errorText';
import { freshCallIds } from './freshCallIds';
import { type SessionEntry, sessionEntrySchema } from './sessionEntry';

export interface ParsedHistory {
  entries: SessionEntry[];
  /** A sentence for each unreadable line, with file and line number. */
  problems: string[];
  /** The text without its truncated last line, or with the missing final newline; undefined if neither is needed. */
  repaired: string | undefined;
}

/** Parses `history.jsonl`. Invalid lines are skipped and reported; only a truncated last line is removed from the file. */
export function parseHistory(text: string, file: string): ParsedHistory {
  const parsed: ParsedHistory = { entries: [], problems: [], repaired: undefined };
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  lines.forEach((line, index) => readLine(line, `${file}:${index + 1}`, parsed));
  if (rest !== '') readRest(text, rest, `${file}:${lines.length + 1}`, parsed);
  return { ...parsed, entries: freshCallIds(parsed.entries) };
}

function readRest(text: string, rest: string, where: string, parsed: ParsedHistory): void {
  const before = parsed.problems.length;
  readLine(rest, where, parsed);
  const cut = parsed.problems.length > before;
  if (cut) parsed.problems[before] = `${where}: the last line was cut off while it was written; it was removed.`;
  parsed.repaired = cut ? text.slice(0, text.length - rest.length) : `${text}\n`;
}

function readLine(line: string, where: string, into: ParsedHistory): void {
  if (line.trim() === '') return;
  try {
    const entry = sessionEntrySchema.safeParse(JSON.parse(line));
    if (entry.success) into.entries.push(entry.data);
    else
      into.problems.push(
        `${where}: not a session entry, left out (${z.prettifyError(entry.error).replaceAll('\n', ' ')}).`,
      );
  } catch (error) {
    into.problems.push(`${where}: not JSON, left out (${errorText(error)}).`);
  }
}
