import { t } from '../base/l10n';
import type { Attachment, ExpandedCommand, UserInput } from '../engine';
import type { SentItem } from '../protocol/chatState';
import type { HostEvent } from '../protocol/hostEvent';
import type { MessageItem } from '../protocol/messageItem';

/** What a person sends: their words, what goes with them, and how they chose it. */
export interface ChatMessage extends UserInput {
  items?: MessageItem[];
  /** What a command that it is asks for, besides its words. */
  run?: ExpandedCommand['run'];
}

/** What a person has sent, with the id of the message that it will be. */
export type SentMessage = ChatMessage & {
  id: string;
  /** True while what goes with it has still to be read: no run may have it yet. */
  unread?: boolean;
};

/** What a person has sent in a session and no model has seen, oldest first. `keep` is told of all of it at each change. */
export class MessageQueue {
  private readonly messages: Map<string, SentMessage>;
  /** Those that the run under way takes by itself. */
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

  /** Those that a run may have. */
  get ready(): readonly SentMessage[] {
    return this.all.filter(({ unread }) => unread !== true);
  }

  /** What goes with a message has been read. False when the message was taken back meanwhile. */
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

  /** The run is over: what it has not taken is left to the next one. */
  leaveAll(): void {
    this.handed.clear();
  }

  /** False when it was not there. */
  delete(id: string): boolean {
    this.handed.delete(id);
    if (!this.messages.delete(id)) return false;
    this.keep(this.all);
    return true;
  }

  /** As the panel shows it. */
  changed(): HostEvent {
    const queued = this.all.map((one) => ({ id: one.id, text: one.text, items: itemsOf(one) }));
    return { type: 'queue-changed', queued };
  }
}

/** Until they are read, as the person chose them. */
function itemsOf({ attachments = [], items = [], unread }: SentMessage): SentItem[] {
  if (unread !== true) return attachments.map(sentItem);
  return items.map((item) => ({
    kind: item.kind,
    label: item.label,
    note: null,
    thumbnail: item.kind === 'image' ? item.thumbnail : null,
  }));
}

/** What went with a message, as the transcript and the queue show it: without its contents. */
export function sentItem(attachment: Attachment): SentItem {
  if (attachment.type === 'image') {
    const { label = t('Picture'), thumbnail = null } = attachment;
    return { kind: 'image', label, note: null, thumbnail };
  }
  const { kind, label, note = null } = attachment.attachment ?? { kind: 'input', label: t('Text') };
  return { kind, label, note, thumbnail: null };
}
