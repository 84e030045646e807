import { wellFormedJson } from '../../base/wellFormedJson';
import type { AssistantMessage, Message, Usage } from '../messages/message';
import { DEEPEST, nesting } from '../messages/nesting';
import type { ToolCall } from '../messages/toolCall';
import type { ToolResult } from '../messages/toolResult';

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
export class ArchiveMessages {
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
