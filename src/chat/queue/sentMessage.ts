import type { ChatMessage } from './chatMessage';

/** What a person has sent, with the id of the message that it will be. */
export type SentMessage = ChatMessage & {
  id: string;
  /** True while what goes with it has still to be read: no run may have it yet. */
  unread?: boolean;
};
