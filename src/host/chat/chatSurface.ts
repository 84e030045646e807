import type { ChatController } from '../../chat/chatController';

/** A place where a panel is shown: the view in the side bar, or an editor tab. */
export interface ChatSurface {
  readonly controller: ChatController;
  readonly visible: boolean;
  reveal(): void;
  /** A number on the place's icon, with its words; undefined for none. */
  setBadge?(badge: { value: number; tooltip: string } | undefined): void;
}
