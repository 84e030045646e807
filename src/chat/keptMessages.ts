import { isRecord } from '../base/isRecord';
import { type AgentSession, type Log, parseSentInput } from '../engine';
import { keptItems, type MessageItem } from '../protocol/messageItem';
import type { SentMessage } from './messageQueue';

/** Stores plain values across window reloads, like an extension's `Memento`. */
export interface Memory {
  get(key: string): unknown;
  /** Undefined removes the key. */
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Persists sent messages that are not in their session yet, so that none is lost if the window goes away. */
export class KeptMessages {
  /** Writes are chained, so that the last one wins. */
  private written = Promise.resolve();

  constructor(
    private readonly memory: Memory,
    private readonly log: Log,
  ) {}

  /** Returns the messages that are not in the session's history yet. Skips values that are not valid messages. */
  of({ id, messages }: AgentSession): SentMessage[] {
    const kept = this.memory.get(keyOf(id));
    if (!Array.isArray(kept)) return [];
    const taken = new Set(messages.map((one) => one.id));
    return kept.flatMap((one: unknown) => parseSent(one) ?? []).filter((one) => !taken.has(one.id));
  }

  /** Stores the messages with known secrets replaced by the mark, as in the history. */
  keep(session: AgentSession, messages: readonly SentMessage[]): void {
    if (messages.length === 0) this.forget(session.id);
    else
      this.write(keyOf(session.id), async () => {
        const strike = await session.striking();
        return messages.map((message) => struckMessage(message, strike));
      });
  }

  /** Call it when nothing waits in the session any more, or when the session is gone. */
  forget(sessionId: string): void {
    this.write(keyOf(sessionId), () => Promise.resolve(undefined));
  }

  private write(key: string, what: () => Promise<unknown>): void {
    const written = this.written.then(async () => {
      const value = await what();
      if (value !== undefined || this.memory.get(key) !== undefined) await this.memory.update(key, value);
    });
    this.written = written.catch((error: unknown) => {
      this.log.error('A waiting message would be lost with the window', error);
    });
  }
}

function struckMessage(message: SentMessage, strike: (text: string) => string) {
  const { id, text, attachments = [], items = [], run } = message;
  // A command is expanded again, because only its text is stored.
  const unread = message.unread === true || run !== undefined;
  return {
    id,
    text: strike(text),
    attachments: (run ? [] : attachments).map((one) =>
      one.type === 'text' ? { ...one, text: strike(one.text) } : one,
    ),
    items: items.map((item) => struckItem(item, strike)),
    unread,
  };
}

function struckItem(item: MessageItem, strike: (text: string) => string): MessageItem {
  if (item.kind === 'image') return item;
  const struck = { ...item, label: strike(item.label), target: strike(item.target) };
  return item.note === undefined ? struck : { ...struck, note: strike(item.note) };
}

function keyOf(sessionId: string): string {
  return `cairn.queued.${sessionId}`;
}

function parseSent(value: unknown): SentMessage | undefined {
  const input = parseSentInput(value);
  if (!input || !isRecord(value)) return undefined;
  const { items, unread } = value;
  return { ...input, items: keptItems(items), ...(unread === true && { unread: true }) };
}
