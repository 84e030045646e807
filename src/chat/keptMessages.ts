import { isRecord } from '../base/isRecord';
import { type AgentSession, type Log, parseSentInput } from '../engine';
import { keptItems, type MessageItem } from '../protocol/messageItem';
import type { SentMessage } from './messageQueue';

/** Keeps plain values over reloads of the window, as the editor does it for an extension. */
export interface Memory {
  get(key: string): unknown;
  /** Undefined takes it away. */
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Keeps what was sent and is not in its session yet, so that a window that goes away loses none of it. */
export class KeptMessages {
  /** One after the other, so that the last word counts. */
  private written = Promise.resolve();

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

  /** Without the secrets that are known, which the history is without as well: the mark stands in their place. */
  keep(session: AgentSession, messages: readonly SentMessage[]): void {
    if (messages.length === 0) this.forget(session.id);
    else
      this.write(keyOf(session.id), async () => {
        const strike = await session.striking();
        return messages.map((message) => struckMessage(message, strike));
      });
  }

  /** Nothing waits in the session any more, or it is gone. */
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
  // A command is looked up again, since what it asks for besides its words is not kept.
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
