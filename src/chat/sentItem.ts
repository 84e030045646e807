import type { Attachment } from '../engine';
import type { SentItem } from '../protocol/chatState';

/** What went with a message, as the transcript and the queue show it: without its contents. */
export function sentItem(attachment: Attachment): SentItem {
  if (attachment.type === 'image') {
    const { label = 'Picture', thumbnail = null } = attachment;
    return { kind: 'image', label, note: null, thumbnail };
  }
  const { kind, label, note = null } = attachment.attachment ?? { kind: 'input', label: 'Text' };
  return { kind, label, note, thumbnail: null };
}
