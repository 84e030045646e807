import type { Engine } from '../engine';
import type { ChatApprovalHandler } from './chat/chatApprovalHandler';
import type { ChatViewProvider } from './chat/chatViewProvider';
import type { LiveChat } from './chat/liveChat';
import type { LiveChats } from './chat/liveChats';
import type { DiffReview } from './editor/diffReview';
import type { VscodeSecretStore } from './secrets/vscodeSecretStore';
import type { OutputLog } from './status/outputLog';

/** What commands work with. */
export interface Host {
  engine: Engine;
  chats: LiveChats;
  view: ChatViewProvider;
  approvals: ChatApprovalHandler;
  review: DiffReview;
  secrets: VscodeSecretStore;
  log: OutputLog;
  /** The chat that the panel shows, opening the panel's session when it has not been shown yet. */
  currentChat: () => Promise<LiveChat>;
}
