import { type AgentSession, type Log, parseSentInput } from '../engine';
import { keptItems } from '../protocol/messageItem';
import type { SentMessage } from './messageQueue';

/** Keeps plain values over reloads of the window, as the editor does it for an extension. */
export interface Memory {
  get(key: string): unknown;
  /** Undefined takes it away. */
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Keeps what was sent and is not in its session yet, so that a window that goes away loses none of it. */
export class KeptMessages {
  constructor(
    private readonly memory: Memory,
    private readonly log: Log,
  ) {}

  /** What is not in the session's history. A value that is no message is left out. */
  of({ id, messages }: AgentSession): SentMessage[] {
    const kept = this.memory.get(keyOf(id));
    if (!Array.isArray(kept)) return [];
    const taken = new Set(messages.map((one) => one.id));
    return kept.flatMap((one: unknown) => parseSent(one) ?? []).filter((one) => !taken.has(one.id));
  }

  keep(sessionId: string, messages: readonly SentMessage[]): void {
    const key = keyOf(sessionId);
    if (messages.length === 0 && this.memory.get(key) === undefined) return;
    const value = messages.map(({ id, text, attachments = [], items = [], unread = false }) => ({
      id,
      text,
      attachments,
      items,
      ...(unread && { unread }),
    }));
    this.memory.update(key, value.length === 0 ? undefined : value).then(undefined, (error: unknown) => {
      this.log.error('A message that waits would be lost with the window', error);
    });
  }
}

function keyOf(sessionId: string): string {
  return `cairn.queued.${sessionId}`;
}

function parseSent(value: unknown): SentMessage | undefined {
  const input = parseSentInput(value);
  const items = typeof value === 'object' && value !== null && 'items' in value ? keptItems(value.items) : [];
  const isUnread = typeof value === 'object' && value !== null && 'unread' in value && value.unread === true;
  return input && { ...input, items, ...(isUnread && { unread: true }) };
}
