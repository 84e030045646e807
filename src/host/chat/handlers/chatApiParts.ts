import type { AgentSession } from '../../../engine';
import type { ChatSnapshot } from '../../../protocol/hostApi';
import type { MessageContext } from '../../context/messageContext';
import type { ReviewLedger } from '../../review/reviewLedger';
import type { SetupActions } from '../../setup/setupActions';
import type { ChatApprovalHandler } from '../../../chat/chatApprovalHandler';
import type { ChatUserPrompter } from '../../../chat/chatUserPrompter';
import type { LiveChat } from '../../../chat/liveChat';
import type { LiveChats } from '../../../chat/liveChats';
import type { SessionActions } from '../sessionActions';

/** What requests of a panel are answered with. */
export interface ChatApiParts {
  chats: LiveChats;
  approvals: ChatApprovalHandler;
  prompter: ChatUserPrompter;
  sessions: SessionActions;
  setup: SetupActions;
  context: MessageContext;
  ledger: ReviewLedger;
  /** Puts files back as they were before a message, once the person has confirmed it. */
  restore: (session: AgentSession, messageId: string) => Promise<void>;
  /** Makes the panel follow this chat from the snapshot on. */
  attach: (chat: LiveChat) => ChatSnapshot;
  /** Does this as begun in the panel, which is given the focus back. */
  fromPanel: (act: () => PromiseLike<unknown>) => Promise<void>;
  /** The session that was shown last in this workspace. */
  lastShown: () => string | undefined;
  /** Absolute folder that relative paths of links are meant from. */
  workspaceFolder: () => string;
}
