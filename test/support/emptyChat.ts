import type { ChatState } from '../../src/protocol/chatState';
import { emptyChat as emptyState } from '../../src/protocol/emptyChat';

/** A chat of the tour in which nothing has happened. */
export function emptyChat(sessionId: string): ChatState {
  return emptyState({
    sessionId,
    setup: {
      agent: 'coder',
      isChosen: false,
      mode: 'agent',
      role: null,
      skills: [],
      pinned: [],
      starters: [],
      parent: null,
    },
    model: { id: 'demo:tour', label: 'Tour', scripted: true },
    approvalMode: 'edits-and-commands',
    welcome: { workspaceName: 'sample', found: [], starters: [] },
  });
}
