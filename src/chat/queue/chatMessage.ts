import type { UserInput } from '../../engine';
import type { MessageItem } from '../../protocol/messageItem';

/** What a person sends: their words, what goes with them, and how they chose it. */
export interface ChatMessage extends UserInput {
  items?: MessageItem[];
}
