import { errorText } from '../../base/errors';
import * as z from '../../base/zod';
import { EngineError } from '../engineError';
import type { AssistantMessage, AssistantPart } from '../messages/message';
import type { ToolResult } from '../messages/toolCall';
import type { FileSystem } from '../ports';
import { type SessionEntry, sessionEntrySchema } from './sessionEntry';

interface ParsedHistory {
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

/** The calls in the latest answer that share an id, under their new ids. */
interface SameId {
  ids: string[];
  started: number;
  finished: number;
}

/**
 * Returns the history with unique call ids. Histories written before Cairn assigned ids may contain those of vendors, some of
 * which reuse ids in each answer. An entry belongs to the last preceding call with its id. Deterministic: a history gets the same
 * ids even after more entries are appended.
 */
export function freshCallIds(entries: readonly SessionEntry[]): SessionEntry[] {
  const history = new CallIds();
  return entries.map((entry) => history.take(entry));
}

class CallIds {
  private readonly used = new Set<string>();
  /** The last number that was tried for each id: a vendor may use one in every answer. */
  private readonly tried = new Map<string, number>();
  private readonly current = new Map<string, SameId>();

  take(entry: SessionEntry): SessionEntry {
    switch (entry.type) {
      case 'message': {
        const { message } = entry;
        if (message.role === 'assistant') return { ...entry, message: this.takeCalls(message) };
        if (message.role === 'tool') {
          return { ...entry, message: { ...message, results: message.results.map((one) => this.takeResult(one)) } };
        }
        return entry;
      }
      case 'tool-started':
        return { ...entry, callId: this.next(entry.callId, 'started') };
      case 'agent-spawned': {
        const same = entry.callId === null ? undefined : this.current.get(entry.callId);
        return same ? { ...entry, callId: same.ids[Math.max(0, same.started - 1)] ?? entry.callId } : entry;
      }
      default:
        return entry;
    }
  }

  private takeCalls(message: AssistantMessage): AssistantMessage {
    const here = new Map<string, SameId>();
    const parts = message.parts.map((part): AssistantPart => {
      if (part.type !== 'tool-call') return part;
      const { id } = part.call;
      const same = here.get(id) ?? { ids: [], started: 0, finished: 0 };
      here.set(id, same);
      this.current.set(id, same);
      const fresh = this.freshId(id);
      same.ids.push(fresh);
      return fresh === id ? part : { type: 'tool-call', call: { ...part.call, id: fresh } };
    });
    return { ...message, parts };
  }

  private freshId(id: string): string {
    let [fresh, again] = [id, this.tried.get(id) ?? 1];
    while (this.used.has(fresh)) fresh = `${id}_again${++again}`;
    this.tried.set(id, again);
    this.used.add(fresh);
    return fresh;
  }

  private takeResult(result: ToolResult): ToolResult {
    return { ...result, callId: this.next(result.callId, 'finished') };
  }

  /** If several calls in an answer share an id, entries are assigned to them in order. */
  private next(id: string, what: 'started' | 'finished'): string {
    const same = this.current.get(id);
    if (!same) return id;
    return same.ids[same[what]++] ?? same.ids.at(-1) ?? id;
  }
}

/**
 * Reads a file of a session. Throws EngineError `damaged` for a pipe or device, even behind a link, since reading it may never
 * end. Otherwise throws what the file system throws.
 */
export async function readStored(file: string, files: FileSystem): Promise<Uint8Array> {
  const found = await files.find(file);
  if (found?.kind === 'other')
    throw new EngineError('damaged', `${file} is not a regular file, so it was not read. Move it out of the folder.`);
  return files.readFile(file);
}
