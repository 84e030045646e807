import { isRecord } from '../base/isRecord';
import { t } from '../base/l10n';
import {
  type AgentSession,
  type Attachment,
  type Engine,
  type ExpandedCommand,
  type Log,
  parseSentInput,
  type UserInput,
} from '../engine';
import type { ModelChoice, SentItem } from '../protocol/chatState';
import type { HostEvent } from '../protocol/hostEvent';
import { keptItems, type MessageItem } from '../protocol/messageItem';

/** What the user sends: the text, its attachments, and the items they were read from. */
export interface ChatMessage extends UserInput {
  items?: MessageItem[];
  /** For a command, its settings for the run, apart from its text. */
  run?: ExpandedCommand['run'];
}

/** A sent message with its future message id. */
export type SentMessage = ChatMessage & {
  id: string;
  /** True while attachments still need to be read. A run must not take the message before then. */
  unread?: boolean;
};

/** The messages of a session that were sent but that no model has seen, oldest first. Calls `keep` with all of them on each change. */
export class MessageQueue {
  private readonly messages: Map<string, SentMessage>;
  /** Messages already handed to the active run. */
  private handed = new Set<string>();

  constructor(
    left: readonly SentMessage[],
    private readonly keep: (messages: readonly SentMessage[]) => void,
  ) {
    this.messages = new Map(left.map((one) => [one.id, one]));
  }

  get all(): readonly SentMessage[] {
    return [...this.messages.values()];
  }

  /** Messages that a run may take. */
  get ready(): readonly SentMessage[] {
    return this.all.filter(({ unread }) => unread !== true);
  }

  /** Adds what was read for a message. Returns false if the message was withdrawn by then. */
  fill(id: string, read: Required<Pick<SentMessage, 'attachments'>> & Pick<SentMessage, 'run'>): boolean {
    const message = this.messages.get(id);
    if (!message) return false;
    this.add({ ...message, ...read, unread: false });
    return true;
  }

  get(id: string): SentMessage | undefined {
    return this.messages.get(id);
  }

  isHanded(id: string): boolean {
    return this.handed.has(id);
  }

  add(message: SentMessage): void {
    this.messages.set(message.id, message);
    this.keep(this.all);
  }

  hand({ id }: SentMessage): void {
    this.handed.add(id);
  }

  /** Call it when the run is over: messages that it did not take are left for the next one. */
  leaveAll(): void {
    this.handed.clear();
  }

  /** Returns false if there was no such message. */
  delete(id: string): boolean {
    if (!this.messages.delete(id)) return false;
    this.keep(this.all);
    return true;
  }

  /** The queue as a chat event for the panel. */
  changed(): HostEvent {
    const queued = this.all.map((one) => ({ id: one.id, text: one.text, items: itemsOf(one) }));
    return { type: 'queue-changed', queued };
  }
}

/** Until attachments are read, shows the items as the user chose them. */
function itemsOf({ attachments = [], items = [], unread }: SentMessage): SentItem[] {
  if (unread !== true) return attachments.map(sentItem);
  return items.map((item) => ({
    kind: item.kind,
    label: item.label,
    note: null,
    thumbnail: item.kind === 'image' ? item.thumbnail : null,
  }));
}

/** An attachment as shown in the transcript and the queue, without its contents. */
export function sentItem(attachment: Attachment): SentItem {
  if (attachment.type === 'image') {
    const { label = t('Image'), thumbnail = null } = attachment;
    return { kind: 'image', label, note: null, thumbnail };
  }
  const { kind, label, note = null } = attachment.attachment ?? { kind: 'input', label: t('Text') };
  return { kind, label, note, thumbnail: null };
}

interface ReadMessageParts {
  session: AgentSession;
  engine: Engine;
  model: ModelChoice;
  /** Reads a message's attachments. Rejects with a message that names what could not be read. */
  read: (items: readonly MessageItem[]) => Promise<Attachment[]>;
  /** Reports parts of a command that have no effect here. */
  warn: (text: string) => void;
  onSkillLoaded: () => void;
}

type Read = Required<Pick<ChatMessage, 'attachments'>> & Pick<ChatMessage, 'run'>;

/** Reads a message's attachments and expands it if it is a command. Rejects with a message for the user if it cannot be sent. */
export async function readMessage(message: ChatMessage, parts: ReadMessageParts): Promise<Read> {
  const command = await commandOf(message.text, parts);
  const items = await parts.read(message.items ?? []);
  const attachments = [...(command ? [command.attachment] : []), ...(message.attachments ?? []), ...items];
  await refuseUnseen(attachments, parts);
  return { attachments, ...(command && { run: command.run }) };
}

/** Expands a message that is a command and loads the skill it needs. Returns undefined for other messages. */
async function commandOf(text: string, parts: ReadMessageParts): Promise<ExpandedCommand | undefined> {
  const { session, engine, warn, onSkillLoaded } = parts;
  const where = { sessionId: session.id, workspace: session.metadata.workspace };
  const command = await engine.typed.expand(text, where);
  for (const note of command?.notes ?? []) warn(note);
  const { skills } = session.metadata;
  if (command?.skill !== undefined && !skills.includes(command.skill)) {
    await session.configure({ skills: [...skills, command.skill] });
    onSkillLoaded();
  }
  return command;
}

/** Throws if there is an image but the model does not support images. */
async function refuseUnseen(attachments: readonly Attachment[], { engine, model }: ReadMessageParts): Promise<void> {
  if (!attachments.some(({ type }) => type === 'image')) return;
  if (await engine.sees(model.id, AbortSignal.timeout(5_000))) return;
  throw new Error(t('{0} does not support images. Remove the image, or choose a model that does.', model.label));
}

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

/** Returns the message in the form that the engine expects. */
export function inputOf({ id, text, attachments = [] }: SentMessage): UserInput {
  return { id, text, attachments };
}
