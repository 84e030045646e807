import { t } from '../base/l10n';
import type { Attachment, ExpandedCommand, UserInput } from '../engine';
import type { SentItem } from '../protocol/chatState';
import type { HostEvent } from '../protocol/hostEvent';
import type { MessageItem } from '../protocol/messageItem';

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
    this.handed.delete(id);
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
    const { label = t('Picture'), thumbnail = null } = attachment;
    return { kind: 'image', label, note: null, thumbnail };
  }
  const { kind, label, note = null } = attachment.attachment ?? { kind: 'input', label: t('Text') };
  return { kind, label, note, thumbnail: null };
}
