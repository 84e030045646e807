import { clipEnd } from '../../base/truncate';
import { wellFormedJson } from '../../base/wellFormedJson';
import type { AssistantMessage, Message, Usage } from '../messages/message';
import { DEEPEST, nesting } from '../messages/nesting';
import type { ToolCall, ToolResult } from '../messages/toolCall';
import { titleFrom } from '../sessions/agentSession';
import { NOT_SAID, openingOf, type SessionEntry, type SessionMetadata } from '../sessions/sessionEntry';

/** A conversation of another program, as far as Cairn can read it. */
export interface ArchivedSession {
  /** Display name of the program. */
  tool: string;
  /** The program's file with the conversation. */
  file: string;
  /** Absent: derived from the first message. */
  title?: string | undefined;
  /** Absolute path of its workspace, if known. */
  workspace?: string | undefined;
  /** Milliseconds since the epoch, of the latest entry. */
  modifiedAt: number;
  pieces: readonly ArchivePiece[];
}

interface ArchivePlace {
  id: string;
  /** Workspace of conversations that do not name their own. */
  workspace: string;
  importedAt: number;
  /** Redacts secrets in a text. */
  strike: (text: string) => string;
}

/** Key under which the session stores its origin. */
const OWN = 'cairn.imported';

/**
 * Converts a conversation to a session. Every call gets a result and every run an end, so that nothing in it is ever executed; if
 * it is continued, everything requires approval.
 */
export function sessionFromArchive(
  archive: ArchivedSession,
  { id, workspace: otherwise, importedAt, strike }: ArchivePlace,
): { metadata: SessionMetadata; entries: SessionEntry[] } {
  const workspace = archive.workspace ?? otherwise;
  const messages = new ArchiveMessages(strike).read(archive.pieces);
  const entries = runsOf(messages, workspace, archive.modifiedAt);
  const [first] = messages;
  const title = strike(archive.title ?? '').trim() || titleFrom(openingOf(messages)) || 'Without words';
  const metadata: SessionMetadata = {
    ...NOT_SAID,
    version: 1,
    id,
    name: null,
    model: null,
    workspace,
    title: clipEnd(`${titleFrom(title)} (from ${archive.tool})`, 120),
    opening: openingOf(messages),
    createdAt: first?.time ?? archive.modifiedAt,
    modifiedAt: archive.modifiedAt,
    approvalMode: 'everything',
    own: { [OWN]: { tool: archive.tool, file: archive.file, at: importedAt } },
  };
  return { metadata, entries };
}

/** Each user message starts a run, which ends before the next one. */
function runsOf(messages: readonly Message[], workspace: string, end: number): SessionEntry[] {
  const entries: SessionEntry[] = [];
  let run: { runId: string; time: number } | undefined;
  const finish = (time: number) => {
    if (!run) return;
    const outcome = { kind: 'completed' as const, answer: '' };
    entries.push({
      type: 'run-finished',
      runId: run.runId,
      time,
      outcome,
      durationMs: Math.max(0, time - run.time),
    });
    run = undefined;
  };
  messages.forEach((message, at) => {
    if (message.role === 'user' || !run) {
      finish(messages[at - 1]?.time ?? message.time);
      run = { runId: `run_imported_${at}`, time: message.time };
      const model = modelFrom(messages, at);
      entries.push({ type: 'run-started', time: message.time, runId: run.runId, model, workspace });
    }
    entries.push({ type: 'message', message });
  });
  finish(messages.at(-1)?.time ?? end);
  return entries;
}

/** Returns the model of the next answer. */
function modelFrom(messages: readonly Message[], from: number): string {
  for (let at = from; at < messages.length; at++) {
    const message = messages[at];
    if (message?.role === 'assistant') return message.model;
  }
  return 'unknown';
}

/** A piece of another program's conversation, in order, independent of that program's grouping. */
export type ArchivePiece =
  | { type: 'user'; time: number; text: string }
  | ({ type: 'text' | 'thinking'; text: string } & Said)
  | ({ type: 'call'; id: string; name: string; arguments: string } & Said)
  | { type: 'result'; time: number; callId: string; text: string; failed: boolean };

interface Said {
  time: number;
  /** Names used by the other program. */
  model?: string | undefined;
  agent?: string | undefined;
  usage?: Usage | undefined;
}

/** Limit per text. The original has the rest. */
const MAX_TEXT = 200_000;
/** Limit for all texts of a session, which is held in memory while it is shown. */
const MAX_SESSION = 40_000_000;

const NO_RESULT = 'No result was kept with this call.';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Reply = Mutable<AssistantMessage>;

/** Groups pieces into messages as in Cairn's sessions: a reply with calls is followed by one message with all their results. */
class ArchiveMessages {
  private readonly messages: Message[] = [];
  private reply: Reply | undefined;
  /** The calls of the reply, with the other program's ids. */
  private calls: { theirs: string; call: ToolCall; result?: ToolResult }[] = [];
  private lastTime = 0;
  private count = 0;
  private room = MAX_SESSION;

  constructor(private readonly strike: (text: string) => string) {}

  read(pieces: readonly ArchivePiece[]): Message[] {
    for (const piece of pieces) this.add(piece);
    this.close();
    return this.messages;
  }

  private add(piece: ArchivePiece): void {
    switch (piece.type) {
      case 'user':
        this.close();
        this.messages.push({
          role: 'user',
          id: this.nextId(),
          time: piece.time,
          steering: false,
          parts: [{ type: 'text', text: this.kept(piece.text) }],
        });
        return;
      case 'result':
        this.addResult(piece);
        return;
      default:
        this.addToReply(piece);
    }
  }

  private addToReply(piece: Exclude<ArchivePiece, { type: 'user' | 'result' }>): void {
    // A reply is finished once all its calls have results.
    if (this.calls.length > 0 && this.calls.every(({ result }) => result)) this.close();
    const reply = (this.reply ??= this.newReply(piece));
    if (piece.usage) reply.usage = piece.usage;
    if (piece.type === 'call') {
      const name = this.kept(piece.name.slice(0, 200));
      const call = { id: this.nextId(), name, arguments: this.callText(piece.arguments) };
      this.calls.push({ theirs: piece.id, call });
      reply.parts = [...reply.parts, { type: 'tool-call', call }];
      reply.finish = 'tool-calls';
    } else if (piece.text !== '') reply.parts = [...reply.parts, { type: piece.type, text: this.kept(piece.text) }];
  }

  private newReply({ time, model, agent }: Said): Reply {
    const made = { agent: this.kept(agent ?? 'imported'), model: this.kept(model ?? 'unknown') };
    return { role: 'assistant', id: this.nextId(), time, ...made, parts: [], finish: 'stop' };
  }

  /** A result without its call is dropped. */
  private addResult({ callId, text, failed, time }: Extract<ArchivePiece, { type: 'result' }>): void {
    const asked = this.calls.find(({ theirs, result }) => theirs === callId && !result);
    if (!asked) return;
    asked.result = resultOf(asked.call, { status: failed ? 'error' : 'ok', text: this.kept(text) });
    this.lastTime = time;
  }

  private close(): void {
    const { reply, calls } = this;
    if (!reply) return;
    if (reply.parts.length > 0) this.messages.push(reply);
    if (calls.length > 0) {
      const results = calls.map(
        ({ call, result }) => result ?? resultOf(call, { status: 'cancelled', text: NO_RESULT }),
      );
      this.messages.push({ role: 'tool', id: this.nextId(), time: Math.max(reply.time, this.lastTime), results });
    }
    this.reply = undefined;
    this.calls = [];
  }

  private nextId(): string {
    return `imported_${++this.count}`;
  }

  /** Truncates a text that exceeds the limits, and redacts secrets. */
  private kept(text: string): string {
    const max = Math.min(MAX_TEXT, this.room);
    const cut =
      text.length > max ? `${text.slice(0, max)}\n[${text.length - max} more characters are in the original]` : text;
    this.room -= Math.min(text.length, max);
    return this.strike(cut.toWellFormed());
  }

  /** Replaces arguments that are nested too deeply or too long, since displaying them would fail. */
  private callText(json: string): string {
    const isFine = json.length <= Math.min(MAX_TEXT, this.room) && nesting(json).deepest <= DEEPEST;
    if (!isFine) return JSON.stringify({ left_out: `${json.length} characters, which are in the original` });
    this.room -= json.length;
    return this.strike(wellFormedJson(json));
  }
}

function resultOf(
  { id, name }: { id: string; name: string },
  { status, text }: Pick<ToolResult, 'status' | 'text'>,
): ToolResult {
  return { callId: id, name, status, text, detail: { kind: 'text', text }, durationMs: 0 };
}
